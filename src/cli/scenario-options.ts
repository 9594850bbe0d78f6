import { samplings } from '../profile/sampling.ts';
import { routers } from '../profile/scenario.ts';
import type { OptionTable } from './command.ts';

const what = 'What runs';
const spread = 'Spread over devices';
const formats = 'Number formats';
const work = 'Workload';
const knowledge = 'Knowledge';
const output = 'Output';

/** Options that describe a scenario, shared by every command that takes one. */
export const scenarioOptions: OptionTable = {
  scenario: {
    type: 'text',
    group: what,
    alias: ['s'],
    describe: "scenario file, YAML or JSON: 'plan.yaml', 'plan.yaml#name'; other options go before it",
  },
  model: {
    type: 'text',
    group: what,
    alias: ['m'],
    describe: 'name, model profile, config.json, its folder, or a GGUF file',
  },
  hardware: { type: 'text', group: what, alias: ['g'], describe: 'name or hardware profile' },
  engine: { type: 'text', group: what, alias: ['e'], describe: 'name, name@version or engine profile (vllm)' },
  devices: {
    type: 'text',
    group: spread,
    alias: ['gpus'],
    describe: 'devices in all; --tp takes what the others leave',
  },
  tp: { type: 'text', group: spread, describe: 'tensor parallel ranks (1)' },
  pp: { type: 'text', group: spread, describe: 'pipeline stages (1)' },
  dp: { type: 'text', group: spread, describe: 'data parallel groups (1)' },
  ep: { type: 'text', group: spread, describe: 'expert parallel ranks, of tp x dp (1)' },
  replicas: { type: 'text', group: spread, describe: 'independent copies (1)' },
  disaggregate: {
    type: 'text',
    group: spread,
    alias: ['disaggregation', 'pools'],
    describe:
      "prefill and decode on groups of their own, as replicas: '3p5d' or '3+5', ':link=network', own, host or '400 Gb/s' (off)",
  },
  speculation: {
    type: 'text',
    group: what,
    alias: ['speculate'],
    describe:
      "drafted tokens: 'eagle:k=3:acceptance=0.7', likewise with mtp or ngram, or 'draft:model=llama-3.2-1b:k=4:acceptance=0.8' (off)",
  },
  router: {
    type: 'text',
    group: spread,
    choices: [...routers],
    describe: 'how requests find their replica: round-robin, least-loaded, prefix-aware or random (least-loaded)',
  },
  weights: {
    type: 'text',
    group: formats,
    describe: "weights: fp8, w4a16-awq, gguf-q4_k_m ... (the checkpoint's own)",
  },
  activations: { type: 'text', group: formats, describe: 'activations (as the weights have it)' },
  kv: { type: 'text', group: formats, describe: 'KV cache (16 bits unless the checkpoint says otherwise)' },
  prompt: {
    type: 'text',
    group: work,
    alias: ['p'],
    describe: 'prompt tokens (1000); 2k = 2K = 2000, 2Ki = 2048, 128_000',
  },
  output: { type: 'text', group: work, alias: ['o'], describe: 'output tokens, the first included (250)' },
  cached: {
    type: 'text',
    group: work,
    describe: "prompt tokens whose KV is already there, or the hit rate: '60 %' (0)",
  },
  sampling: {
    type: 'text',
    group: work,
    choices: [...samplings],
    describe:
      "how requests choose tokens: greedy (the largest logit), temperature (a draw from all) or top-p (from what top-p or top-k leaves) (the checkpoint's own where the engine reads it, else temperature)",
  },
  batch: { type: 'text', group: work, alias: ['b'], describe: 'load: so many requests that start together' },
  concurrency: { type: 'text', group: work, alias: ['c'], describe: 'load: so many requests in flight (1)' },
  rate: { type: 'text', group: work, alias: ['r'], describe: 'load: so many requests arrive per second' },
  ideal: {
    type: 'flag',
    group: knowledge,
    describe: 'textbook roofline: every efficiency 1, no overhead; a lower bound',
  },
  utilisation: {
    type: 'text',
    group: knowledge,
    describe: 'with --ideal: share of peak, compute and memory alike (0.6 or 60 %)',
  },
  'compute-utilisation': { type: 'text', group: knowledge, describe: 'with --ideal: share of peak FLOP/s' },
  'memory-utilisation': { type: 'text', group: knowledge, describe: 'with --ideal: share of peak bandwidth' },
  calibration: {
    type: 'text',
    group: knowledge,
    describe: 'overlay of your own measurements, written by twoclocks calibrate',
  },
  set: {
    type: 'list',
    group: knowledge,
    describe:
      "change one field, by a quantity or a sum: 'hardware.memory.bandwidth=4.8 TB/s', 'engine.overhead.step=engine.overhead.step/2'",
  },
};

/** Options of every command that prints a result. */
export const outputOptions: OptionTable = {
  json: { type: 'flag', group: output, describe: 'the documented JSON object; the same as --format json' },
  format: {
    type: 'text',
    group: output,
    choices: ['text', 'json', 'csv', 'md'],
    describe: 'text, json, csv or md (text)',
  },
};
