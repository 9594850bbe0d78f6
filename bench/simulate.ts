import { readFileSync } from 'node:fs';
import { readEngine } from '../src/profile/read-engine.ts';
import { readHardware } from '../src/profile/read-hardware.ts';
import { readModel } from '../src/profile/read-model.ts';
import { singleDevice } from '../src/profile/scenario.ts';
import { newClockSeconds } from '../src/serving/clock-seconds.ts';
import { compile } from '../src/serving/compiled.ts';
import { openLoopClocks } from '../src/serving/open-loop.ts';
import { simulate } from '../src/serving/simulate/simulate.ts';

/*
 * How fast the event simulation runs, on one core: prompts of 500 and answers of 250 tokens, an 8B model on one H100
 * under vLLM, Poisson arrivals at 70 % of what it can serve; processor time, and memory beyond that of the start.
 * Aim: a million requests in under 10 s and 500 MB, and time in proportion to requests.
 *
 *     node scripts/run-bundled.js bench/simulate.ts [REQUESTS ...]
 */
const profile = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const engine = readEngine(profile('engine-profiles/vllm.json'), 'vllm.json');
const release = engine.releases.at(-1);
if (release === undefined) throw new Error('vllm has no release');
const compiled = compile(
  {
    model: readModel(profile('model-profiles/llama-3.1-8b.json'), 'llama-3.1-8b.json'),
    hardware: readHardware(profile('hardware-profiles/h100-sxm5-80gb.json'), 'h100-sxm5-80gb.json'),
    engine,
    release,
    precision: {},
    parallelism: singleDevice,
  },
  'typical',
);
const { largestRate } = openLoopClocks(compiled, 0.001, 500, 0, 250, newClockSeconds());

function run(requests: number): { readonly seconds: number; readonly wall: number; readonly megabytes: number } {
  const memory = process.memoryUsage().rss;
  const processor = process.cpuUsage();
  const start = performance.now();
  const { requests: counts } = simulate(
    compiled,
    {
      arrivals: { kind: 'poisson', rate: 0.7 * largestRate },
      prompt: { kind: 'fixed', tokens: 500 },
      output: { kind: 'fixed', tokens: 250 },
      requests,
      cached: 0,
      router: 'round-robin',
      objectives: {},
      warmUp: 'detect',
    },
    1,
  );
  if (counts.answered !== requests) throw new Error('requests were lost');
  const { user, system } = process.cpuUsage(processor);
  return {
    seconds: (user + system) / 1e6,
    wall: (performance.now() - start) / 1e3,
    megabytes: (process.memoryUsage().rss - memory) / 1e6,
  };
}

run(20_000);
const counts = process.argv.slice(2).map(Number);
for (const requests of counts.length > 0 ? counts : [100_000, 300_000, 1_000_000]) {
  const { seconds, wall, megabytes } = run(requests);
  console.log(
    `${String(requests).padStart(8)} requests  ${seconds.toFixed(2).padStart(6)} s of processor, ${wall.toFixed(2).padStart(6)} s in all, ${((seconds / requests) * 1e6).toFixed(1)} us a request, ${megabytes.toFixed(0).padStart(4)} MB more; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB with the tools that started it`,
  );
}
