import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/cli/command.ts';
import { run, toyEstimate } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

describe('what cannot be', () => {
  it.each([
    [['--pools', '0+3'], "--disaggregate prefill is '0'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    [['--pools', '3+0'], "--disaggregate decode is '0'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    [['--pools', '35'], "--disaggregate is '35'; expected groups that prefill and groups that decode such as '2p6d'."],
    [['--pools', '3+5:via=host'], "part of --disaggregate is 'via=host'; expected one of link=."],
    [
      ['--pools', '3+5:link=fast'],
      "--disaggregate link is 'fast'; expected one of own, host, network, a rate such as '400 Gb/s'.",
    ],
    [['--pools', '3+5:link=5 s'], "--disaggregate link: '5 s' is a time, expected a rate such as '3.35 TB/s'."],
    [
      ['--pools', '3+5', '--devices', '12'],
      '--devices is 12, which --pp x --dp x the 3 + 5 groups of --disaggregate = 8 does not divide; expected a multiple of 8.',
    ],
    [
      ['--pools', '3+5', '--devices', '12', '--tp', '1'],
      '--devices is 12, but --tp x --pp x --dp x the 3 + 5 groups of --disaggregate = 8; leave one of them out.',
    ],
    [
      ['--pools', '3+5', '--replicas', '4'],
      '--replicas is 4, but --disaggregate has 3 + 5 = 8 groups; leave --replicas out.',
    ],
    [
      ['--pools', '3+5', '--dp', '2'],
      '--dp is 2, but data parallel groups share their experts, so that --disaggregate cannot split them; expected --dp 1.',
    ],
    [['--pools', '1+1', '--disaggregate', '2+2'], "--disaggregate was given 2 times ('1+1', '2+2'); expected once."],
    [
      ['--pools', '1+1', '--set', 'parallelism.replicas=4'],
      'disaggregation has 1 prefill and 1 decode groups, but replicas x data is 4; expected their sum.',
    ],
    [
      ['--set', 'disaggregation.prefill=4'],
      '--set: disaggregation.prefill does not exist without --disaggregate; give that too.',
    ],
    [
      ['--set', 'speculation.tokens=4'],
      '--set: speculation.tokens does not exist without --speculation; give that too.',
    ],
    [
      ['--speculate', 'magic:k=3:acceptance=0.5'],
      "--speculation is 'magic'; expected one of eagle, mtp, draft, ngram, off.",
    ],
    [
      ['--speculate', 'eagle:k=3:acceptance=1.2'],
      '--speculation acceptance is 1.2; expected the chance that a drafted token is kept, between 0 and 1.',
    ],
    [
      ['--speculate', 'eagle:k=3:acceptance=-1'],
      "--speculation acceptance is '-1'; expected a share such as 0.7 or '70 %'.",
    ],
    [
      ['--speculate', 'eagle:k=0:acceptance=0.5'],
      "--speculation k is '0'; expected a whole number of at least 1 such as 8, 2000 or 2k.",
    ],
    [
      ['--speculate', 'eagle:acceptance=0.5'],
      "--speculation does not say its k; expected for example '--speculation eagle:k=3:acceptance=0.7'.",
    ],
    [
      ['--speculate', 'draft:k=3:acceptance=0.7'],
      "--speculation does not say its draft model or its cost; expected for example '--speculation draft:model=llama-3.2-1b:k=4:acceptance=0.8'.",
    ],
    [['--speculate', 'draft:k=3:acceptance=0.7:model=toy-14m'], "no model profile for 'toy-14m', nearest: toy-13m."],
    [
      ['--set', 'speculation.acceptance=1.5', '--speculate', 'eagle:k=3:acceptance=0.7'],
      'speculation.acceptance is 1.5; expected a share between 0 and 1.',
    ],
  ])('%j', async (words, sentence) => {
    expect(await toyEstimate(...words)).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });

  it('a draft whose heads the ranks cannot share is no draft, and one of another vocabulary gets a warning', async () => {
    const drafts = (model: string, ...words: readonly string[]): Promise<Outcome> =>
      run([
        'estimate',
        '-m',
        'llama-3.1-8b',
        '-g',
        'h100',
        ...words,
        '--speculate',
        `draft:k=3:acceptance=0.5:model=${model}`,
      ]);
    expect(await drafts('qwen2.5-0.5b', '--tp', '8')).toEqual({
      error:
        'twoclocks: parallelism.tensor is 8, which does not divide the 14 attention heads of qwen2.5-0.5b; nearest that do: 2, 14.\n',
      code: 2,
    });
    const [other, own] = [await drafts('qwen2.5-0.5b'), await drafts('llama-3.2-1b')];
    expect(other.output?.replaceAll(/\s+/g, ' ')).toContain(
      "Warning: Qwen2.5 0.5B drafts in a vocabulary of 151936 tokens, Llama 3.1 8B has 128256: engines take drafts of the model's own vocabulary, unless they are told to translate.",
    );
    expect(own.output).not.toContain('Warning');
  });

  it('is refused in a receipt too', async () => {
    const { output = '' } = await toyEstimate('--pools', '1+2', '--speculate', 'eagle:k=2:acceptance=0.5', '--json');
    for (const [was, is, path] of [
      ['"prefill": 1', '"prefill": 0', 'prefill'],
      ['"link": "network"', '"link": "wire"', 'link'],
      ['"method": "eagle"', '"method": "magic"', 'method'],
      ['"acceptance": 0.5', '"acceptance": 1.5', 'acceptance'],
    ] as const) {
      const at = output.indexOf('"receipt"');
      const forged = output.slice(0, at) + output.slice(at).replace(was, is);
      const { error, code } = await run(['replay', '-'], toyCatalog, forged);
      expect(code).toBe(2);
      expect(error).toContain(`.${path} is `);
    }
  });
});
