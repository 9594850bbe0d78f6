import { formatRounded } from '../quantity/format-quantity.ts';
import { matrixFormats } from '../quantity/matrix-format.ts';
import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { parameterCount } from '../profile/parameter-count.ts';

/** 'NVIDIA H100 SXM5 80GB: 80 GiB at 3.35 TB/s, 989 TFLOP/s bf16, 700 W'. */
export function hardwareSummary({ title, memory, matrix, power }: Hardware): string {
  // 16 bits tell most about a device; some have only narrower units.
  const preferred = ['bf16', 'fp16', ...matrixFormats] as const;
  const format = preferred.find((each) => matrix[each] !== undefined);
  const peak = format === undefined ? [] : [`${formatRounded(matrix[format] ?? 0, 'flop-rate')} ${format}`];
  const limit = power.limit === undefined ? [] : [formatRounded(power.limit, 'power')];
  const memories = `${formatRounded(memory.capacity, 'bytes')} at ${formatRounded(memory.bandwidth, 'bandwidth')}`;
  return `${title}: ${[memories, ...peak, ...limit].join(', ')}`;
}

/** 'Mixtral 8x7B: 46.7 B parameters, 12.9 B active, 32 layers, context 32768'. */
export function modelSummary(model: Model): string {
  const { total, active } = parameterCount(model);
  const layers = model.layers.reduce((sum, { count }) => sum + count, 0);
  const sizes =
    total === active
      ? [`${billions(total)} parameters`]
      : [`${billions(total)} parameters`, `${billions(active)} active`];
  const context = model.contextLimit === undefined ? [] : [`context ${String(model.contextLimit)}`];
  return `${model.title}: ${[...sizes, `${String(layers)} layers`, ...context].join(', ')}`;
}

/** 'vLLM: rules of 7 releases, 0.4.0 to 0.27.0'. */
export function engineSummary({ title, releases }: Engine): string {
  const [first] = releases;
  const last = releases.at(-1);
  if (first === undefined || last === undefined || releases.length === 1) return title;
  return `${title}: rules of ${String(releases.length)} releases, ${first.version} to ${last.version}`;
}

const billions = (parameters: number): string =>
  parameters >= 1e9
    ? `${String(Number((parameters / 1e9).toPrecision(3)))} B`
    : `${String(Math.round(parameters / 1e6))} M`;
