import type { Parallelism } from '../profile/scenario.ts';

/** Engines that compute prompts and engines that answer, as a row's `disaggregated` option has them. */
export interface RowPools {
  readonly prefill: Parallelism;
  readonly decode: Parallelism;
}

/** No more engines than three digits: a file from elsewhere must not set up a simulation without end. */
const pool = (name: string): RegExp =>
  new RegExp(`\\b${name} (\\d{1,3}) x \\(tp=(\\d{1,4}) attention_dp=(\\d{1,4}) moe_tp=\\d{1,4} moe_ep=(\\d{1,4})\\b`);

const prefillPool = pool('prefill');
const decodePool = pool('decode');

/**
 * Reads `prefill 1 x (tp=8 attention_dp=1 moe_tp=8 moe_ep=1 batch=1), decode 2 x (...)`; undefined where a pool is
 * missing or says something else.
 */
export function rowPools(option: string): RowPools | undefined {
  const prefill = parallelismOf(prefillPool.exec(option));
  const decode = parallelismOf(decodePool.exec(option));
  return prefill === undefined || decode === undefined ? undefined : { prefill, decode };
}

function parallelismOf(match: RegExpExecArray | null): Parallelism | undefined {
  const [replicas = 0, tensor = 0, data = 0, expert = 0] = (match ?? []).slice(1).map(Number);
  if (!(replicas > 0 && tensor > 0 && data > 0 && expert > 0)) return undefined;
  // Attention groups without experts spread over them are engines of their own.
  return expert > 1
    ? { tensor, pipeline: 1, data, expert: Math.min(expert, tensor * data), replicas }
    : { tensor, pipeline: 1, data: 1, expert: 1, replicas: replicas * data };
}
