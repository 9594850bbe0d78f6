import type { Disaggregation, Parallelism } from '../profile/scenario.ts';
import type { Given } from './command.ts';
import { InputError } from './input-error.ts';
import { devicesDisagree, devicesDoNotDivide, poolsOfDataGroups, replicasAndPools } from './messages.ts';
import { readCount } from './read-number.ts';

/** Prefill and decode on groups of their own, of `--disaggregate`; its reader comes only where it is given. */
export async function readPools({ text }: Given): Promise<Disaggregation | undefined> {
  const written = text['disaggregate'];
  if (written === undefined) return undefined;
  const { parseDisaggregation } = await import('../whatif/read-disaggregation.ts');
  return parseDisaggregation(written, '--disaggregate');
}

/**
 * How a deployment is spread over devices; pools are replicas of two kinds, and `--devices` gives `--tp` what the other
 * ranks leave.
 * @throws InputError where options contradict each other.
 */
export function readParallelism({ text }: Given, pools: Disaggregation | undefined): Parallelism {
  const ranks = (name: string): number => {
    const written = text[name];
    return written === undefined ? 1 : readCount(name, written);
  };
  const parallelism = {
    tensor: ranks('tp'),
    pipeline: ranks('pp'),
    data: ranks('dp'),
    expert: ranks('ep'),
    replicas: pools === undefined ? ranks('replicas') : pools.prefill + pools.decode,
  };
  if (pools !== undefined) {
    if (parallelism.data > 1) throw new InputError(poolsOfDataGroups(parallelism.data));
    if (text['replicas'] !== undefined && ranks('replicas') !== parallelism.replicas)
      throw new InputError(replicasAndPools(ranks('replicas'), pools));
  }
  if (text['devices'] === undefined) return parallelism;
  const devices = readCount('devices', text['devices']);
  const others = parallelism.pipeline * parallelism.data * parallelism.replicas;
  if (text['tp'] !== undefined) {
    if (devices === parallelism.tensor * others) return parallelism;
    throw new InputError(devicesDisagree(devices, parallelism.tensor * others, pools));
  }
  if (devices < others || devices % others !== 0) throw new InputError(devicesDoNotDivide(devices, others, pools));
  return { ...parallelism, tensor: devices / others };
}
