import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { writeAside } from '../../src/cli/write-aside.ts';
import { run } from '../support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'twoclocks-aside-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const chart = ['chart', 'waterfall', '-m', 'llama-3.1-8b', '-g', 'h100'] as const;
const command = fileURLToPath(new URL('../../bin/twoclocks.js', import.meta.url));

describe('a file that is written', () => {
  it('replaces the one before, through a link too, and leaves nothing beside it', () => {
    const own = join(folder, 'whole');
    mkdirSync(own);
    writeFileSync(join(own, 'a.svg'), 'before');
    symlinkSync(join(own, 'a.svg'), join(own, 'link.svg'));
    writeAside(join(own, 'link.svg'), 'after');
    expect(readFileSync(join(own, 'a.svg'), 'utf8')).toBe('after');
    expect(lstatSync(join(own, 'link.svg')).isSymbolicLink()).toBe(true);
    expect(readdirSync(own).toSorted()).toEqual(['a.svg', 'link.svg']);
  });

  it.each([
    ['a folder', '', /it is a folder/],
    ['a folder that is not there', 'no/x.svg', /there is no such file/],
    ['a file for a folder', 'file/x.svg', /a part of its path is no folder/],
  ])('is refused where its place is %s, and nothing is left', async (_name, name, sentence) => {
    const own = mkdtempSync(join(folder, 'refused-'));
    writeFileSync(join(own, 'file'), '');
    const before = readdirSync(own);
    const { error, code } = await run([...chart, '--format', 'svg', '-o', join(own, name)]);
    expect(error).toMatch(sentence);
    expect(code).toBe(2);
    expect(readdirSync(own)).toEqual(before);
    // Nothing beside the folder either.
    expect(readdirSync(folder).filter((each) => each.endsWith('.part'))).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('is refused where the disk is full, and the device stays one', async () => {
    const { error, code } = await run([...chart, '--format', 'svg', '-o', '/dev/full']);
    expect(error).toContain('the disk is full');
    expect(code).toBe(2);
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it('is there whole or not at all, whenever an interrupt comes', async () => {
    for (const milliseconds of [60, 150, 250, 350, 450, 600]) {
      const own = mkdtempSync(join(folder, 'interrupt-'));
      const path = join(own, 'a.svg');
      await interrupted([...chart, '-o', path], milliseconds);
      const left = readdirSync(own);
      expect(left.filter((name) => name !== 'a.svg')).toEqual([]);
      if (left.length > 0) expect(readFileSync(path, 'utf8')).toMatch(/<\/svg>\n$/);
    }
  });
});

const interrupted = (words: readonly string[], milliseconds: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...words], { stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGINT'), milliseconds);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
