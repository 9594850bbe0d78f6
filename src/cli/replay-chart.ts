import type { Estimate } from '../estimate.ts';
import type { ChartRecord } from '../present/render/chart-record.ts';
import { readJson } from '../profile/read-json.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { Catalog } from './catalog.ts';
import { chartRecordSchema } from './chart-record-schema.ts';
import { drawChart } from './draw-chart.ts';
import { estimateReceipt } from './make-receipt.ts';
import { type Replay, replayReceipt } from './replay-receipt.ts';

export interface ChartReplay extends Replay {
  /** The first byte that differs; undefined where the file is the same. */
  readonly differentByte?: number;
}

/** The record that a file carries, if it is a chart; a picture or page without one is no JSON either. */
export async function chartRecordOf(bytes: Uint8Array): Promise<unknown> {
  const [first] = bytes;
  // '<' of SVG and HTML, the signature of PNG; anything else is JSON.
  if (first !== 0x3c && first !== 0x89) return undefined;
  const { recordIn } = await import('../present/render/chart-file.ts');
  return recordIn(bytes) ?? {};
}

/** The record in a Vega-Lite specification that is a chart of ours. */
export function recordInSpec(json: unknown): unknown {
  const meta = isRecord(json) ? json['usermeta'] : undefined;
  return isRecord(meta) ? meta['twoclocks'] : undefined;
}

/**
 * Computes the scenarios of a chart again, draws it again, and compares the file byte for byte.
 * @throws ProfileError, InputError or CatalogError where the record cannot be understood.
 */
export async function replayChart(
  found: unknown,
  bytes: Uint8Array,
  where: string,
  catalog: Catalog,
  tool: string,
): Promise<ChartReplay> {
  const record = readJson(chartRecordSchema, found, where);
  const replay = await replayReceipt(record.receipt, where, catalog, tool);
  const others = await Promise.all(
    (record.others ?? []).map(async ({ label, receipt }) => ({
      label,
      receipt,
      replay: await replayReceipt(receipt, where, catalog, tool),
    })),
  );
  const again: ChartRecord = {
    schema: record.schema,
    kind: record.kind,
    format: record.format,
    options: record.options,
    receipt: receiptAgain(replay, record.receipt, tool),
    ...(record.others === undefined
      ? {}
      : {
          others: others.map(({ label, receipt, replay: other }) => ({
            label,
            receipt: receiptAgain(other, receipt, tool),
          })),
        }),
  };
  const content = await drawChart(
    again,
    replay.scenario,
    others.map(({ label, replay: other }) => ({ label, scenario: other.scenario })),
    catalog,
  );
  const drawn = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const differentByte = firstDifference(bytes, drawn);
  return {
    ...replay,
    notes: [...new Set([...replay.notes, ...others.flatMap((other) => other.replay.notes)])],
    ...(differentByte === undefined ? {} : { differentByte }),
  };
}

/** The receipt of what was computed now, under the version that wrote the file: what may differ is the result. */
function receiptAgain(
  {
    scenario,
    estimate,
    own,
  }: { readonly scenario: Scenario; readonly estimate: Estimate; readonly own: Replay['own'] },
  receipt: Readonly<Record<string, unknown>>,
  tool: string,
): ChartRecord['receipt'] {
  const { tool: was } = receipt;
  return estimateReceipt(scenario, estimate, own, typeof was === 'string' ? was : tool);
}

function firstDifference(was: Uint8Array, now: Uint8Array): number | undefined {
  const length = Math.max(was.length, now.length);
  for (let at = 0; at < length; at++) if (was[at] !== now[at]) return at;
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
