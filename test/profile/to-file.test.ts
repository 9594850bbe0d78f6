import { describe, expect, it } from 'vitest';
import { readProfileFolder } from '../../src/catalog/profile-folder.ts';
import { engineToFile } from '../../src/profile/engine-to-file.ts';
import { hardwareToFile } from '../../src/profile/hardware-to-file.ts';
import { readEngine } from '../../src/profile/read-engine.ts';
import { readHardware } from '../../src/profile/read-hardware.ts';

const folder = (name: string): URL => new URL(`../../${name}/`, import.meta.url);

describe('profiles written back as files', () => {
  it('reads every shipped device again as the same device, to the last digit', async () => {
    for (const hardware of await readProfileFolder(folder('hardware-profiles'), readHardware)) {
      expect(readHardware(hardwareToFile(hardware), hardware.name)).toEqual(hardware);
    }
  });

  it('reads every shipped engine again as the same engine', async () => {
    for (const engine of await readProfileFolder(folder('engine-profiles'), readEngine)) {
      expect(readEngine(engineToFile(engine), engine.name)).toEqual(engine);
    }
  });
});
