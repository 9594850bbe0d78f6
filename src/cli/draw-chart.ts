import { chartFile } from '../present/render/chart-file.ts';
import type { ChartRecord } from '../present/render/chart-record.ts';
import { withTitle } from '../present/chart/chart-frame.ts';
import { chartOf } from '../present/chart/chart-of.ts';
import type { NamedScenario } from '../present/chart/data/comparison-data.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { Catalog } from './catalog.ts';
import { chartRequest, themeOf } from './chart-request.ts';
import type { Given } from './command.ts';

/** The file of a chart as its record describes it: what `chart` writes and `replay` compares with. */
export async function drawChart(
  record: ChartRecord,
  scenario: Scenario,
  others: readonly NamedScenario[],
  catalog: Catalog,
): Promise<string | Uint8Array> {
  const given = givenOf(record.options);
  const [theme, request] = await Promise.all([
    themeOf(given.text['theme']),
    chartRequest(record.kind, scenario, others, given, catalog),
  ]);
  const spec = await chartOf(record.kind, request, theme);
  return chartFile(withTitle(spec, given.text['title'], theme), record, theme);
}

function givenOf(options: ChartRecord['options']): Given {
  const text: Record<string, string> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'string') text[name] = value;
    else lists[name] = value;
  }
  return { text, lists, flags: new Set(), positionals: [] };
}
