import { type Estimate, estimate } from '../estimate.ts';
import { chartNames, isChartKind, type ChartKind } from '../present/chart/chart-names.ts';
import type { ChartRecord } from '../present/render/chart-record.ts';
import type { ReportBlock } from '../present/report/report-block.ts';
import {
  chapterBlocks,
  closingBlocks,
  type ReportAlternative,
  type ReportChapter,
} from '../present/report/report-blocks.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { Comparison } from '../profile/scenario-file-schema.ts';
import { costPerMillion, deviceRate } from '../whatif/cost.ts';
import { applyLevers } from '../whatif/lever.ts';
import type { Given, Surroundings } from './command.ts';
import { drawChart } from './draw-chart.ts';
import { explanation } from './explanation.ts';
import { InputError } from './input-error.ts';
import { estimateReceipt } from './make-receipt.ts';
import { unknownChart } from './messages.ts';
import { readScenarios } from './read-scenarios.ts';
import { openScenarioFile, type OpenedFile, scenarioReference } from './scenario-file.ts';
import { pricesOf, readChanges } from './what-if-choices.ts';

export interface Report {
  readonly title: string;
  readonly blocks: readonly ReportBlock[];
}

/** A question about one scenario or one comparison. */
interface Question {
  readonly title: string;
  readonly question: string;
  readonly given: Given;
  readonly charts: readonly string[];
}

const usualCharts: readonly ChartKind[] = ['waterfall', 'memory', 'pareto', 'tornado'];
const usualQuestion = 'How fast will it be, what limits it, and does it fit?';

/** The report that a scenario file, or one scenario by options, asks for. @throws as the readers of its parts. */
export async function buildReport(given: Given, surroundings: Surroundings): Promise<Report> {
  const { scenario } = given.text;
  const { path = '', name } = scenario === undefined ? {} : scenarioReference(scenario);
  const opened = scenario === undefined ? undefined : await openScenarioFile(path);
  const questions = opened === undefined ? [alone(given)] : questionsOf(opened, given, path, name);
  const chapters: ReportChapter[] = [];
  for (const question of questions) chapters.push(await chapterOf(question, surroundings));
  const title = opened?.file.title ?? 'Two clocks of a deployment';
  return {
    title,
    blocks: [
      { kind: 'heading', level: 1, text: title },
      ...chapters.flatMap(chapterBlocks),
      ...closingBlocks,
      { kind: 'paragraph', text: `Computed by twoclocks ${surroundings.version}. Every chart carries its receipt.` },
    ],
  };
}

const alone = (given: Given): Question => ({
  title: 'The deployment',
  question: usualQuestion,
  given,
  charts: usualCharts,
});

function questionsOf({ file }: OpenedFile, given: Given, path: string, name: string | undefined): readonly Question[] {
  const comparisons = Object.entries(file.comparisons ?? {});
  const asked = (of: string): Given => ({ ...given, text: { ...given.text, scenario: `${path}#${of}` } });
  const ofScenario = (of: string): Question => ({ ...alone(asked(of)), title: of });
  const ofComparison = ([of, { question, charts }]: readonly [string, Comparison]): Question => ({
    title: of,
    question: question ?? `How do the alternatives compare with ${of}?`,
    given: asked(of),
    charts: charts ?? ['what-if', ...usualCharts],
  });
  if (name !== undefined) {
    const found = comparisons.find(([each]) => each === name);
    return [found === undefined ? ofScenario(name) : ofComparison(found)];
  }
  return comparisons.length > 0 ? comparisons.map(ofComparison) : Object.keys(file.scenarios).map(ofScenario);
}

async function chapterOf(
  { title, question, given, charts }: Question,
  surroundings: Surroundings,
): Promise<ReportChapter> {
  const { catalog } = surroundings;
  const [{ scenario, own, others, changes }, prices] = await Promise.all([readScenarios(given, catalog), pricesOf()]);
  const result = estimate(scenario);
  const asked: Given = changes.length === 0 ? given : { ...given, lists: { ...given.lists, change: changes } };
  const priced = (of: Scenario, then: Estimate): Pick<ReportAlternative, 'dollars' | 'terms'> => {
    const dollars = costPerMillion(prices, of.deployment.hardware.name, {
      devices: then.load.devices,
      outputTokensPerSecond: then.throughput.outputTokensPerSecond,
    });
    const rate = deviceRate(prices, of.deployment.hardware.name);
    return dollars === undefined || rate === undefined ? {} : { dollars, terms: rate.terms };
  };
  const alternative = (label: string, of: Scenario, cautions: readonly string[]): ReportAlternative => {
    const then = estimate(of);
    return { label, estimate: then, cautions, ...priced(of, then) };
  };
  const read = await readChanges(asked, catalog);
  const alternatives = [
    ...others.map((other) => alternative(other.label, other.scenario, [])),
    ...read.map(({ label, levers }) =>
      alternative(
        label,
        applyLevers(levers, scenario),
        levers.flatMap(({ caution }) => caution ?? []),
      ),
    ),
  ];
  const basis = deviceRate(prices, scenario.deployment.hardware.name)?.basis;
  const drawn: ReportChapter['charts'][number][] = [];
  for (const kind of charts)
    drawn.push(await drawnChart(kind, title, { scenario, own, others, changes }, surroundings));
  return {
    title,
    question,
    scenario,
    estimate: result,
    ...priced(scenario, result),
    ...(basis === undefined ? {} : { priceBasis: basis }),
    pricesOf: prices.date,
    alternatives,
    charts: drawn,
    derivation: explanation(scenario, result),
  };
}

async function drawnChart(
  kind: string,
  chapter: string,
  {
    scenario,
    own,
    others,
    changes,
  }: Pick<Awaited<ReturnType<typeof readScenarios>>, 'scenario' | 'own' | 'others' | 'changes'>,
  { catalog, version }: Surroundings,
): Promise<ReportChapter['charts'][number]> {
  const kinds = chartNames.map((each) => each.name);
  if (!isChartKind(kind)) throw new InputError(unknownChart(kind, kinds));
  const record: ChartRecord = {
    schema: 'twoclocks/chart@1',
    kind,
    format: 'svg',
    options: kind === 'what-if' && changes.length > 0 ? { change: changes } : {},
    receipt: estimateReceipt(scenario, estimate(scenario), own, version),
    ...(kind !== 'what-if' || others.length === 0
      ? {}
      : {
          others: others.map((other) => ({
            label: other.label,
            receipt: estimateReceipt(other.scenario, estimate(other.scenario), other.own, version),
          })),
        }),
  };
  const svg = await drawChart(record, scenario, kind === 'what-if' ? others : [], catalog);
  const summary = chartNames.find((each) => each.name === kind)?.summary ?? '';
  return {
    name: `${chapter.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${kind}`,
    words: `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}`,
    svg: String(svg),
  };
}
