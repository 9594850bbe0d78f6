import { readFileSync } from 'node:fs';
import { estimateWith, explainWith, prepare } from '../src/estimate.ts';
import { readEngine } from '../src/profile/read-engine.ts';
import { readHardware } from '../src/profile/read-hardware.ts';
import { readModel } from '../src/profile/read-model.ts';
import { type Deployment, singleDevice } from '../src/profile/scenario.ts';
import type { Workload } from '../src/profile/workload.ts';
import { newClockSeconds } from '../src/serving/clock-seconds.ts';
import { fillClocks } from '../src/serving/load.ts';

/*
 * How fast the engine answers, on one core: a dense 8B model on one H100 under vLLM.
 *
 * Method: each figure is the best of several rounds of at least 0.3 s of processor time over 512 different workloads
 * (prompt, batch), so that no branch or value is constant.
 */
const profile = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const model = readModel(profile('model-profiles/llama-3.1-8b.json'), 'llama-3.1-8b.json');
const hardware = readHardware(profile('hardware-profiles/h100-sxm5-80gb.json'), 'h100-sxm5-80gb.json');
const engine = readEngine(profile('engine-profiles/vllm.json'), 'vllm.json');
const release = engine.releases.at(-1);
if (release === undefined) throw new Error('vllm.json has no release');
const deployment: Deployment = { model, hardware, engine, release, precision: {}, parallelism: singleDevice };

const workloads = (kind: 'batch' | 'concurrency'): readonly Workload[] =>
  Array.from({ length: 512 }, (_, index) => ({
    prompt: 100 + 7 * index,
    output: 100 + (index % 400),
    cached: 0,
    load: { kind, size: 1 + (index % 128) },
  }));

/** Processor time of this program, so that others on the machine count as little as possible. */
const cpuSeconds = (): number => process.cpuUsage().user / 1e6;

const secondsPerRound = 0.3;
const rounds = 7;

/** Calls per second, the best of some rounds; `call` gets a running number. */
function rate(call: (index: number) => void): number {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const start = cpuSeconds();
    let calls = 0;
    while (cpuSeconds() - start < secondsPerRound) {
      for (let index = 0; index < 256; index++) call(calls + index);
      calls += 256;
    }
    best = Math.max(best, calls / (cpuSeconds() - start));
  }
  return best;
}

const prepared = prepare(deployment, 'typical');
const clocks = newClockSeconds();
const batches = workloads('batch');
const loops = workloads('concurrency');
function pick(list: readonly Workload[], index: number): Workload {
  const picked = list[index % list.length];
  if (picked === undefined) throw new Error('An empty list of workloads.');
  return picked;
}

const fast = rate((index) => void fillClocks(prepared.compiled, pick(batches, index), clocks));
const loaded = rate((index) => void fillClocks(prepared.compiled, pick(loops, index), clocks));
const full = rate((index) => void estimateWith(prepared, pick(batches, index)));
const explained = rate((index) => {
  estimateWith(prepared, pick(batches, index));
  explainWith(prepared, pick(batches, index));
});
const prepares = rate(() => void prepare(deployment, 'typical'));
const perOutput = [16, 16_384].map((output) => {
  const list = batches.map((workload) => ({ ...workload, output }));
  return rate((index) => void fillClocks(prepared.compiled, pick(list, index), clocks));
});

const microseconds = (perSecond: number): string => `${(1e6 / perSecond).toFixed(1)} us`;
console.log(`both clocks and shares, static batch      ${Math.round(fast / 1000)} thousand a second per core`);
console.log(`both clocks and shares, closed loop       ${Math.round(loaded / 1000)} thousand a second per core`);
console.log(`whole estimate of a prepared deployment   ${microseconds(full)}`);
console.log(`whole estimate, every operator explained  ${microseconds(explained)}`);
console.log(`preparing a deployment (both grades)      ${microseconds(prepares)}`);
console.log(`cost of 16,384 output tokens over 16      ${((perOutput[0] ?? 0) / (perOutput[1] ?? 1)).toFixed(2)} x`);
