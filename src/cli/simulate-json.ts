import { canonicalJson } from '../present/canonical-json.ts';
import type { Receipt } from '../present/receipt.ts';
import { readJson } from '../profile/read-json.ts';
import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { Catalog } from './catalog.ts';
import { InputError } from './input-error.ts';
import { makeReceipt } from './make-receipt.ts';
import { simulationDiffers, simulationStopped, simulationTraceChanged } from './messages.ts';
import { jsonText } from './output-format.ts';
import { receiptSchema } from './receipt-schema.ts';
import { scenarioOfReceipt } from './replay-receipt.ts';
import { runSpec, simulationSchema, type SimulationSpec, traceOf } from './simulation-spec.ts';

/** The documented object of a run (docs/formats.md#simulate1), as text. */
export function simulateJson(
  result: SimulationResult,
  notes: readonly string[],
  spec: SimulationSpec,
  receipt: Receipt,
): string {
  // As a reader would see it, so that its fields come in one order.
  const simulation = readJson(simulationSchema, spec, 'simulation');
  return jsonText({ schema: 'twoclocks/simulate@1', ...result, notes, simulation, receipt });
}

/** Means that a receipt of a run holds. */
export const simulatedFigures = ({ ttft, tpot, e2e, throughput }: SimulationResult): Receipt['figures'] => ({
  'ttft.mean': ttft?.mean ?? null,
  'tpot.mean': tpot?.mean ?? null,
  'e2e.mean': e2e?.mean ?? null,
  'throughput.requestsPerSecond': throughput.requestsPerSecond,
});

export const isSimulation = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && 'schema' in json && json.schema === 'twoclocks/simulate@1';

export interface SimulationReplay {
  /** The text of the run as it is now. */
  readonly output: string;
  readonly identical: 'bytes' | 'values' | false;
  /** The first value that differs, as a sentence. */
  readonly difference?: string;
  readonly notes: readonly string[];
}

/**
 * Runs the simulation of a result again, and compares the whole output with the file, byte for byte.
 * @throws InputError, ProfileError, CatalogError or SimulationError where it cannot be understood or run.
 */
export async function replaySimulation(
  json: Readonly<Record<string, unknown>>,
  bytes: Uint8Array,
  where: string,
  catalog: Catalog,
): Promise<SimulationReplay> {
  if (json['outcome'] === 'stopped') throw new InputError(simulationStopped(where));
  const receipt = readJson(receiptSchema, json['receipt'], `${where}: receipt`);
  const spec = readJson(simulationSchema, json['simulation'], `${where}: simulation`);
  const { scenario, own, notes } = await scenarioOfReceipt(receipt, where, catalog);
  if (spec.trace !== undefined) {
    const { sha256 } = await traceOf(spec.trace.path, spec.trace.skipBad);
    if (sha256 !== spec.trace.sha256) throw new InputError(simulationTraceChanged(where, spec.trace.path));
  }
  const { result, said } = await runSpec(scenario, spec);
  const was = Array.isArray(json['notes']) ? json['notes'].filter((note) => typeof note === 'string') : [];
  // Notes of the options are not computed; those of the run are.
  const kept = [...was.slice(0, Math.max(0, was.length - said.length)), ...said];
  const output = simulateJson(result, kept, spec, makeReceipt(scenario, own, receipt.tool, simulatedFigures(result)));
  if (new TextDecoder().decode(bytes) === output) return { output, identical: 'bytes', notes };
  const now: unknown = JSON.parse(output);
  if (canonicalJson(json) === canonicalJson(now)) return { output, identical: 'values', notes };
  const [path, before, after] = firstDifference(json, now, '');
  return { output, identical: false, difference: simulationDiffers(path, before, after), notes };
}

function firstDifference(was: unknown, now: unknown, path: string): readonly [string, unknown, unknown] {
  if (!isObject(was) || !isObject(now)) return [path, was, now];
  for (const key of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (canonicalJson(was[key] ?? null) === canonicalJson(now[key] ?? null)) continue;
    return firstDifference(was[key], now[key], path === '' ? key : `${path}.${key}`);
  }
  return [path, was, now];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
