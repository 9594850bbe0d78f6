import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fontWidths } from '../../scripts/font-widths.ts';
import { regularWidths, semiBoldWidths } from '../../src/present/chart/inter-widths.ts';
import { textWidth, wrapToWidth } from '../../src/present/chart/text-width.ts';
import { spread } from '../../src/present/chart/axis.ts';
import { logTicks } from '../../src/present/chart/axis-ticks.ts';

const font = (file: string): Buffer => readFileSync(new URL(`../../fonts/${file}`, import.meta.url));

describe('widths of text', () => {
  it.each([
    ['Inter-Regular.ttf', regularWidths],
    ['Inter-SemiBold.ttf', semiBoldWidths],
  ] as const)('are those of %s', (file, widths) => {
    const table = new Map(
      widths.flatMap(([width, set]) => Array.from(set, (character) => [character, width] as const)),
    );
    expect(table).toEqual(new Map(fontWidths(font(file))));
  });

  // 'H' and 'i' of Inter at 1000 units: 744 and 243; at 10 px 7.44 and 2.43.
  it('add up', () => {
    expect(textWidth('Hi', 10)).toBeCloseTo(textWidth('H', 10) + textWidth('i', 10), 9);
    expect(textWidth('MMMM', 12)).toBeGreaterThan(textWidth('iiii', 12) * 2);
  });

  it('wrap without losing a word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 20, max: 400 }),
        (words, pixels) => {
          const lines = wrapToWidth(words.join(' '), pixels, 12);
          expect(lines.join(' ')).toBe(words.join(' '));
          for (const line of lines) expect(textWidth(line, 12) <= pixels || !line.includes(' ')).toBe(true);
        },
      ),
    );
  });
});

describe('labels beside each other', () => {
  const axis = { title: '', domain: [0, 100], isLog: false, kind: 'number' } as const;
  // 300 px for 100: 3 px each. Values 50 and 51 are 3 px apart and have to be 15: 6 px further each, 2 of the axis.
  it('move apart evenly', () => {
    const [low = 0, high = 0] = spread(axis, [50, 51], 300, 15);
    expect(low).toBeCloseTo(48, 6);
    expect(high).toBeCloseTo(53, 6);
  });

  it('stay where there is room', () => {
    expect(spread(axis, [10, 50, 90], 300, 15).map(Math.round)).toEqual([10, 50, 90]);
  });
});

describe('ticks of a logarithmic axis', () => {
  it('are 1, 2, 5 over few decades and whole decades over many', () => {
    expect(logTicks(8, 120)).toEqual([10, 20, 50, 100]);
    expect(logTicks(0.5, 1e6)).toEqual([1, 10, 100, 1000, 10_000, 100_000, 1_000_000]);
  });
});
