import { describe, expect, it } from 'vitest';
import { leverNames, parseChange } from '../../src/whatif/change.ts';
import { applyLevers } from '../../src/whatif/lever.ts';
import { toyDeployment, toyModel, toyScenario, toyWorkload } from '../support/toy.ts';
import { shippedLookups } from '../support/what-if.ts';

// 'weights=fp8,tp=2': two levers; 'hardware.memory.bandwidth=*1.5' of 1 TB/s: 1.5 TB/s.

const parse = (text: string) => parseChange(text, shippedLookups);
const applied = async (text: string, to = toyScenario()) => applyLevers((await parse(text)).levers, to);
const refusal = async (text: string, to = toyScenario()): Promise<string> => {
  try {
    await applied(text, to);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error(`'${text}' was not refused`);
};

const toyBandwidth = async (text: string): Promise<number> =>
  (await applied(text)).deployment.hardware.memory.bandwidth;

describe('a change', () => {
  it('holds several levers', async () => {
    const { label, levers } = await parse(' weights=int4, kv=fp8 ,tp=2');
    expect(label).toBe('weights=int4, kv=fp8 ,tp=2');
    expect(levers.map(({ text }) => text)).toEqual(['weights=w4a16-awq', 'kv=fp8', 'tp=2']);
    const { deployment } = await applied('weights=int4,kv=fp8,tp=2');
    expect(deployment.precision).toEqual({ weights: 'w4a16-awq', keyValue: 'fp8' });
    expect(deployment.parallelism.tensor).toBe(2);
  });

  it('edits a field by factor, share, quantity or expression', async () => {
    expect(await toyBandwidth('hardware.memory.bandwidth=*1.5')).toBe(1.5e12);
    expect(await toyBandwidth('hardware.memory.bandwidth = hardware.memory.bandwidth * 1.5')).toBe(1.5e12);
    expect(await toyBandwidth('hardware.memory.bandwidth=/2')).toBe(0.5e12);
    expect(await toyBandwidth('hardware.memory.bandwidth=+20%')).toBe(1.2e12);
    expect(await toyBandwidth('hardware.memory.bandwidth=-20 %')).toBe(0.8e12);
    expect(await toyBandwidth('hardware.memory.bandwidth=4.8 TB/s')).toBe(4.8e12);
    expect(await toyBandwidth('hardware.memory.bandwidth=min(2 TB/s, hardware.memory.bandwidth * 3)')).toBe(2e12);
    expect((await applied('hardware.compute=*2')).deployment.hardware.matrix.bf16).toBe(2e12);
    expect((await applied('engine.overhead.step=2 ms')).deployment.release.overhead.step).toBe(2e-3);
  });

  it('changes a part of a device after the device', async () => {
    const { deployment } = await applied('hardware=h200-sxm-141gb,hardware.memory.bandwidth=*2,power=350 W');
    expect(deployment.hardware.memory.bandwidth).toBe(9.6e12);
    expect(deployment.hardware.power.limit).toBe(350);
  });

  it('knows every kind of lever', async () => {
    const texts = [
      'hardware=h100-sxm5-80gb',
      'devices=2',
      'tp=2',
      'pp=1',
      'dp=2',
      'ep=1',
      'replicas=3',
      'weights=fp8',
      'activations=bf16',
      'kv=fp8',
      'batch=4',
      'concurrency=2k',
      'rate=0.5',
      'prompt=2k',
      'output=5',
      'cached=10',
      'hit=90%',
      'budget=512',
      'sequences=64',
      'engine=vllm@0.8.5',
      'power=50 W',
      'offload=weights:0.5+kv:50%',
      'speculation=eagle:k=3:acceptance=0.7',
      'disaggregate=1p3d:link=400 Gb/s',
      'graphs=off',
      'sampling=greedy',
    ];
    const parsed = await Promise.all(texts.map(parse));
    const named = new Set(parsed.flatMap(({ levers }) => levers.map(({ text }) => text.split('=')[0] ?? '')));
    expect(leverNames.filter((name) => !named.has(name))).toEqual([]);
  });

  it('reads what it writes', async () => {
    for (const text of ['weights=fp8', 'hit=0.9', 'speculation=mtp:k=1:acceptance=0.8', 'power=350 W', 'batch=4']) {
      const { levers } = await parse(text);
      const again = await parse(levers.map((lever) => lever.text).join(','));
      expect(again.levers.map((lever) => lever.text)).toEqual([text]);
    }
  });
});

describe('a wrong change', () => {
  const cases: readonly (readonly [change: string, sentence: string])[] = [
    [
      '',
      "'' changes nothing; expected a lever and its value such as 'tp=8', 'hardware=h200' or 'weights=int4,kv=fp8'.",
    ],
    [
      'tp',
      "'tp' changes nothing; expected a lever and its value such as 'tp=8', 'hardware=h200' or 'weights=int4,kv=fp8'.",
    ],
    ['tp=0', "tp is '0'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    ['tp=-2', "tp is '-2'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    ['tp=2.5', "tp is '2.5'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    ['rate=0', "rate is '0'; expected requests/s such as 4."],
    ['rate=NaN', "rate is 'NaN'; expected requests/s such as 4."],
    ['graphs=maybe', "graphs is 'maybe'; expected one of on, off."],
    ['sampling=beam', "sampling is 'beam'; expected one of greedy, temperature, top-p."],
    ['weights=fp9', "weights: no number format 'fp9', nearest: fp8, fp32, fp16"],
    [
      'hardware.memory.bandwith=*2',
      "there is no field 'hardware.memory.bandwith' to change; nearest: 'hardware.memory.bandwidth'.",
    ],
    ['hardware.__proto__=*2', "there is no field 'hardware.__proto__' to change; nearest: 'hardware.compute'."],
    [
      'hardware.compute=2 TFLOP/s',
      "hardware.compute is '2 TFLOP/s'; it stands for the peaks of all formats, expected a factor such as '*1.5'.",
    ],
    ['hardware.memory.bandwidth=*0', "the factor is '0'; expected a number above 0 such as '*1.5'."],
    ['hardware.memory.bandwidth=3', "hardware.memory.bandwidth: '3' has no unit, expected a rate such as '3.35 TB/s'"],
    [
      'hardware.network.bandwidth=*2',
      "'hardware.network.bandwidth=*2' does not apply: Toy device has no hardware.network.bandwidth, so nothing can be changed in it.",
    ],
    [
      'tp=2,tp=5',
      "'tp=2' and 'tp=5' contradict each other: both set parallelism.tensor; leave one of them out, or give them as changes of their own.",
    ],
    [
      'batch=2,rate=4',
      "'batch=2' and 'rate=4' contradict each other: both set workload.load; leave one of them out, or give them as changes of their own.",
    ],
    [
      'cached=10,hit=0.5',
      "'cached=10' and 'hit=0.5' contradict each other: both set workload.cached; leave one of them out, or give them as changes of their own.",
    ],
    [
      'power=50 W,hardware=h100-sxm5-80gb',
      "'power=50 W' and 'hardware=h100-sxm5-80gb' contradict each other: both set hardware; leave one of them out, or give them as changes of their own.",
    ],
    [
      'tp=3',
      "'tp=3' does not apply: parallelism.tensor is 3, which does not divide the 10 attention heads of toy-13m; nearest that do: 2, 5.",
    ],
    [
      'tp=20',
      "'tp=20' does not apply: parallelism.tensor is 20, which does not divide the 10 attention heads of toy-13m; nearest that do: 10.",
    ],
    [
      'ep=2',
      "'ep=2' does not apply: parallelism.expert is more than 1, but toy-13m has no experts to spread; use tensor or pipeline ranks.",
    ],
    ['pp=2', "'pp=2' does not apply: parallelism.pipeline is 2; expected at most the 1 layers of the model."],
    [
      'cached=100',
      "'cached=100' does not apply: workload.cached is 100; expected fewer than workload.prompt = 100, as at least one token has to be computed.",
    ],
    ['hit=1.5', "'hit=1.5' does not apply: the hit rate is 1.5; expected a share between 0 and 1."],
    ['hit=-1', "hit is '-1'; expected a share such as 0.7 or '70 %'."],
    [
      'speculation=eagle:k=3',
      "speculation does not say its acceptance; expected for example 'speculation=eagle:k=3:acceptance=0.7'.",
    ],
    ['speculation=magic:k=3:acceptance=0.5', "speculation is 'magic'; expected one of eagle, mtp, draft, ngram, off."],
    [
      'speculation=eagle:k=3:acceptance=1.2',
      "'speculation=eagle:k=3:acceptance=1.2' does not apply: the acceptance is 1.2; expected the chance that a drafted token is kept, between 0 and 1.",
    ],
    [
      'speculation=draft:k=3:acceptance=0.7',
      "speculation does not say its draft model or its cost; expected for example 'speculation=draft:model=llama-3.2-1b:k=4:acceptance=0.8'.",
    ],
    [
      'speculation=ngram:k=3:acceptance=0.5:depth=2',
      "part of speculation is 'depth=2'; expected one of k=, tokens=, acceptance=, model=, cost=.",
    ],
    ['disaggregate=0p2d', "disaggregate prefill is '0'; expected a whole number of at least 1 such as 8, 2000 or 2k."],
    [
      'disaggregate=1p2d:link=wire',
      "disaggregate link is 'wire'; expected one of own, host, network, a rate such as '400 Gb/s'.",
    ],
    [
      'disaggregate=half',
      "disaggregate is 'half'; expected groups that prefill and groups that decode such as '2p6d'.",
    ],
    [
      'dp=2,disaggregate=1p1d',
      "'disaggregate=1p1d:link=network' does not apply: data parallel groups share their experts, so that prefill and decode cannot be split among them; expected dp = 1.",
    ],
    ['power=150', "'power=150 W' does not apply: 150 W is above the 100 W that Toy device takes; expected less."],
    [
      'power=20',
      "'power=20 W' does not apply: 20 W is below the 30 W that leakage, memory and board take by themselves; expected more.",
    ],
    [
      'offload=weights:1.5',
      "'offload=weights:1.5' does not apply: offload.weights is 1.5; expected a share between 0 and 1.",
    ],
    ['offload=all', "offload is 'all'; expected one of weights:0.5, kv:0.5, off."],
    [
      'sampling=greedy',
      "'sampling=greedy' does not apply: what choosing tokens costs under bare hardware is not known; its sampler counts as the largest logit alone.",
    ],
    [
      'graphs=off',
      "'graphs=off' does not apply: bare hardware launches nothing, so there are no graphs to turn on or off.",
    ],
  ];

  it.each(cases)('%s', async (text, sentence) => {
    expect(await refusal(text)).toBe(sentence);
  });

  it('that names no lever lists them, and the nearest', async () => {
    expect(await refusal('concurency=4')).toMatch(
      /^there is no lever 'concurency'; nearest: 'concurrency'\. Levers are hardware, /,
    );
  });

  it('is refused where it is longer than any', async () => {
    expect(await refusal(`tp=${'1'.repeat(2000)}`)).toBe(
      'a change of 2003 characters is longer than any needs; expected at most 1000.',
    );
  });

  it('of a KV format is refused for a model without a KV cache', async () => {
    const recurrent = {
      kind: 'recurrent',
      variant: 'mamba2',
      matrixParameters: 4e6,
      stateElements: 1e4,
      convolutionElements: 100,
      recurrenceFlops: 1e5,
    } as const;
    const model = { ...toyModel, layers: toyModel.layers.map((layer) => ({ ...layer, mixer: recurrent })) };
    expect(await refusal('kv=fp8', toyScenario({ deployment: toyDeployment({ model }) }))).toBe(
      "'kv=fp8' does not apply: precision.keyValue is set, but toy-13m keeps no KV cache.",
    );
  });

  it('of speculation is refused for an answer of one token', async () => {
    const asked = toyScenario({ workload: toyWorkload({ output: 1 }) });
    expect(await refusal('speculation=ngram:k=3:acceptance=0.5', asked)).toBe(
      "'speculation=ngram:k=3:acceptance=0.5' does not apply: an answer of one token is never decoded, so there is nothing to draft.",
    );
  });
});
