import type { Hardware } from '../hardware.ts';
import { readEngine } from '../read-engine.ts';
import { readModel } from '../read-model.ts';
import { readPrices } from '../read-prices.ts';
import { type Finding, unreadable } from './finding.ts';
import { knownFormats } from './known-formats.ts';
import { lintHardware } from './lint-hardware.ts';
import { publishedParameters } from './published-parameters.ts';

type FileKind = 'hardware' | 'model' | 'engine' | 'prices';

/** Fields that only one kind of file has. */
const marks: readonly (readonly [kind: FileKind, fields: readonly string[]])[] = [
  ['engine', ['releases', 'kernels']],
  ['model', ['hiddenSize', 'vocabulary', 'order']],
  ['prices', ['entries']],
];

/** What a parsed file seems meant to be: hardware, where nothing says otherwise. */
function kindOf(json: unknown): FileKind {
  const fields = typeof json === 'object' && json !== null ? Object.keys(json) : [];
  return marks.find(([, names]) => names.some((name) => fields.includes(name)))?.[0] ?? 'hardware';
}

/**
 * Looks over a profile of any kind: hardware by the traps of published figures, a model by its formats and its
 * published parameter count, engines and prices by their schema.
 * @param where What sentences call the file.
 * @param known Devices that a hardware profile is held against.
 */
export function lintProfile(json: unknown, where: string, known: readonly Hardware[] = []): readonly Finding[] {
  try {
    switch (kindOf(json)) {
      case 'hardware':
        return lintHardware(json, where, known);
      case 'model': {
        const model = readModel(json, where);
        return [...knownFormats(model), ...publishedParameters(model)];
      }
      case 'engine':
        readEngine(json, where);
        return [];
      case 'prices':
        readPrices(json, where);
        return [];
    }
  } catch (error) {
    return [unreadable(error)];
  }
}
