import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { record, text } from '../profile/schema-parts.ts';
import { routers, type Scenario } from '../profile/scenario.ts';
import { compile } from '../serving/compiled.ts';
import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { LengthDistribution, SimulatedWorkload } from '../serving/simulate/workload-spec.ts';
import { InputError } from './input-error.ts';
import { runSimulation } from './run-simulation.ts';

/** What a run of the event simulation needs beside its scenario: enough to run it again. */
export interface SimulationSpec {
  readonly seed: number;
  readonly workload: SimulatedWorkload;
  /** Requests come from a file, known by the SHA-256 of its bytes, instead of from `workload`. */
  readonly trace?: { readonly path: string; readonly sha256: string; readonly skipBad: boolean };
}

const amount = (): z.ZodMiniType<number> => z.number('a number');

const lengths: z.ZodMiniType<LengthDistribution> = z.discriminatedUnion(
  'kind',
  [
    record({ kind: z.literal('fixed'), tokens: amount() }),
    record({ kind: z.literal('uniform'), least: amount(), most: amount() }),
    record({ kind: z.literal('normal'), mean: amount(), deviation: amount(), most: z.exactOptional(amount()) }),
    record({ kind: z.literal('lognormal'), mean: amount(), variation: amount(), most: z.exactOptional(amount()) }),
    record({
      kind: z.literal('empirical'),
      values: z.array(amount(), 'numbers'),
      weights: z.exactOptional(z.array(amount(), 'numbers')),
    }),
  ],
  'a distribution of lengths',
);

const arrivals: z.ZodMiniType<SimulatedWorkload['arrivals']> = z.discriminatedUnion(
  'kind',
  [
    record({ kind: z.literal('constant'), rate: amount() }),
    record({ kind: z.literal('poisson'), rate: amount() }),
    record({ kind: z.literal('gamma'), rate: amount(), burstiness: amount() }),
    record({ kind: z.literal('burst') }),
    record({ kind: z.literal('closed'), concurrency: amount(), think: amount() }),
    record({ kind: z.literal('sessions'), rate: amount(), turns: lengths, think: amount() }),
  ],
  'a kind of arrivals',
);

/** Schema of the `simulation` in a result; the simulation itself refuses numbers that cannot be. */
export const simulationSchema: z.ZodMiniType<SimulationSpec> = record({
  seed: amount(),
  workload: record({
    arrivals,
    prompt: lengths,
    output: lengths,
    requests: amount(),
    cached: amount(),
    prefix: z.exactOptional(record({ groups: amount(), tokens: amount() })),
    router: z.enum(routers, 'a router'),
    objectives: record({
      ttft: z.exactOptional(amount()),
      tpot: z.exactOptional(amount()),
      e2e: z.exactOptional(amount()),
    }),
    warmUp: z.union([z.enum(['detect', 'none']), amount()], "'detect', 'none' or a number"),
  }),
  trace: z.exactOptional(
    record({
      path: text('the path of a trace', 4096),
      sha256: z.string('64 hexadecimal digits').check(z.regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')),
      skipBad: z.boolean('true or false'),
    }),
  ),
});

/** Names a trace by its content. @throws InputError where there is no such file. */
export async function traceOf(path: string, skipBad: boolean): Promise<NonNullable<SimulationSpec['trace']>> {
  try {
    if (!statSync(path).isFile()) throw new InputError(`--trace: '${path}' is not a file.`);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    return { path, sha256: hash.digest('hex'), skipBad };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `--trace: '${path}' cannot be read: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'}.`,
    );
  }
}

/** Runs a specification, and says what was left out of its trace. */
export async function runSpec(
  scenario: Scenario,
  { workload, seed, trace }: SimulationSpec,
): Promise<{ readonly result: SimulationResult; readonly said: readonly string[] }> {
  const compiled = compile(scenario.deployment, scenario.grade);
  const { startRun, startSimulation } = await import('../serving/simulate/simulate.ts');
  if (trace === undefined) {
    const simulation = startSimulation(compiled, workload, seed);
    await runSimulation(simulation);
    return { result: simulation.result(), said: [] };
  }
  const [{ openTrace }, { TraceSource }] = await Promise.all([
    import('../exchange/trace/open-trace.ts'),
    import('../serving/simulate/trace-source.ts'),
  ]);
  const file = openTrace(trace.path, { skipBad: trace.skipBad });
  const source = new TraceSource();
  const { router, objectives, warmUp } = workload;
  const simulation = startRun(compiled, source, {
    router,
    hot: 0,
    shares: true,
    objectives,
    warmUp,
    isOpen: true,
    seed,
    rules: {},
  });
  await runSimulation(simulation, { file, source });
  const { count, reasons } = file.skipped();
  return {
    result: simulation.result(),
    said: count === 0 ? [] : [`${count} bad lines of the trace were left out, such as: ${reasons.join(' ')}`],
  };
}
