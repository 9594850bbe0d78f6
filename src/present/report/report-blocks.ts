import type { Estimate } from '../../estimate.ts';
import type { Citation } from '../../profile/citation.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import { engineLimits } from '../../roofline/engine-limits.ts';
import type { Clock } from '../../serving/clock.ts';
import { clockTime, digits, grouped, percent } from '../clock-time.ts';
import { resourceWords } from '../resource-words.ts';
import { deploymentTitle, gradeWords, workloadTitle } from '../scenario-title.ts';
import { whatBinds } from '../what-binds.ts';
import type { ReportBlock } from './report-block.ts';

/** One question of a report: a scenario, and what it is compared with. */
export interface ReportChapter {
  readonly title: string;
  readonly question: string;
  readonly scenario: Scenario;
  readonly estimate: Estimate;
  /** US dollars per million output tokens now, where a price is known. */
  readonly dollars?: number;
  /** Of what day prices are. */
  readonly pricesOf: string;
  readonly alternatives: readonly ReportAlternative[];
  /** Drawn already. */
  readonly charts: readonly { readonly name: string; readonly words: string; readonly svg: string }[];
  readonly derivation: readonly string[];
}

export interface ReportAlternative {
  readonly label: string;
  readonly estimate: Estimate;
  /** US dollars per million output tokens, where a price is known. */
  readonly dollars?: number;
  /** What it may cost that no clock shows. */
  readonly cautions: readonly string[];
}

/** A chapter in the order in which a meeting asks: answer, numbers, pictures, how, on what ground, what is missing. */
export function chapterBlocks(chapter: ReportChapter): readonly ReportBlock[] {
  const { title, question, scenario, estimate, alternatives, charts, derivation } = chapter;
  return [
    { kind: 'heading', level: 2, text: title },
    { kind: 'question', text: question },
    { kind: 'paragraph', text: answer(scenario, estimate, alternatives).join(' ') },
    { kind: 'paragraph', text: `${deploymentTitle(scenario.deployment)}; ${workloadTitle(scenario.workload)}.` },
    { kind: 'table', table: numbers(chapter) },
    ...cautions(alternatives),
    ...charts.map(({ name, words, svg }): ReportBlock => ({ kind: 'chart', chart: name, words, svg })),
    { kind: 'heading', level: 3, text: 'Derivation' },
    { kind: 'lines', summary: 'Every operator with its formula, numbers and units', lines: derivation },
    { kind: 'heading', level: 3, text: 'Assumptions' },
    { kind: 'list', items: assumptions(scenario, estimate) },
    { kind: 'heading', level: 3, text: 'Sources' },
    { kind: 'list', items: [...sources(scenario), `prices of devices: of ${chapter.pricesOf}`] },
  ];
}

/** The answer in three sentences: the clocks, what helps most, what it is limited by. */
function answer(
  { workload }: Scenario,
  estimate: Estimate,
  alternatives: readonly ReportAlternative[],
): readonly string[] {
  const { ttft, tpot, bound, memory, load } = estimate;
  const decodes = workload.output > 1;
  const first = `TTFT is ${withBand(ttft)}${decodes ? `, TPOT ${withBand(tpot)}` : ''}.`;
  const second =
    alternatives.length === 0
      ? whatBinds('TTFT', ttft, bound.ttft.resource)
      : `${best('TTFT', alternatives, ttft, 'ttft')}${decodes ? ` ${best('TPOT', alternatives, tpot, 'tpot')}` : ''}`;
  const third =
    load.stability?.verdict === 'unstable'
      ? `The load is unstable: at most ${digits(load.stability.largestRate)} requests/s can leave.`
      : memory.fits
        ? `It fits in memory with room for ${grouped(memory.largestBatch)} requests at once; ${decodes ? `TPOT is mostly ${resourceWords[bound.tpot.resource]}` : `TTFT is mostly ${resourceWords[bound.ttft.resource]}`} (${percent(decodes ? bound.tpot.share : bound.ttft.share)}).`
        : `It does not fit: each device is short of ${formatRounded(memory.shortBy, 'bytes')}.`;
  return [first, second, third];
}

const withBand = ({ seconds, low, high, grade }: Clock): string =>
  grade === 'ideal'
    ? `${clockTime(seconds)} at best`
    : `${clockTime(seconds)} (80 % of measurements between ${clockTime(low)} and ${clockTime(high)})`;

function best(name: string, alternatives: readonly ReportAlternative[], now: Clock, clock: 'ttft' | 'tpot'): string {
  const [fastest] = alternatives
    .filter(({ estimate: { memory, load } }) => memory.fits && load.stability?.verdict !== 'unstable')
    .toSorted((a, b) => a.estimate[clock].seconds - b.estimate[clock].seconds);
  const change = fastest === undefined ? 0 : fastest.estimate[clock].seconds / now.seconds - 1;
  return fastest === undefined || change > -0.03
    ? `No alternative shortens ${name} by more than 3 %.`
    : `${name} is shortest with ${fastest.label}: ${clockTime(fastest.estimate[clock].seconds)} (${percent(-change)} less).`;
}

function numbers({
  estimate,
  dollars: now,
  alternatives,
}: ReportChapter): Extract<ReportBlock, { readonly kind: 'table' }>['table'] {
  const base = { label: 'as it is', estimate, cautions: [], ...(now === undefined ? {} : { dollars: now }) };
  const rows: readonly ReportAlternative[] = [base, ...alternatives];
  return {
    headers: [
      '',
      'TTFT',
      'TTFT, 80 % between',
      'TPOT',
      'TPOT, 80 % between',
      'ideal TTFT',
      'ideal TPOT',
      'output tokens/s per device',
      'largest batch',
      'USD per million output tokens',
    ],
    rows: rows.map(({ label, estimate: { ttft, tpot, throughput, memory }, dollars }) => [
      label,
      clockTime(ttft.seconds),
      `${clockTime(ttft.low)} and ${clockTime(ttft.high)}`,
      clockTime(tpot.seconds),
      `${clockTime(tpot.low)} and ${clockTime(tpot.high)}`,
      clockTime(ttft.ideal),
      clockTime(tpot.ideal),
      digits(throughput.outputTokensPerSecondPerDevice),
      memory.fits ? grouped(memory.largestBatch) : 'does not fit',
      dollars === undefined ? 'no price known' : digits(dollars),
    ]),
  };
}

function cautions(alternatives: readonly ReportAlternative[]): readonly ReportBlock[] {
  const items = alternatives.flatMap(({ label, cautions: words }) => words.map((each) => `${label}: ${each}`));
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

function assumptions(scenario: Scenario, { evidence, warnings, ttft, tpot }: Estimate): readonly string[] {
  const { engine, release, hardware } = scenario.deployment;
  const { tokenBudget, maxSequences } = engineLimits(release, hardware);
  const limit = (value: number): string => (value === Infinity ? 'no limit' : grouped(value));
  return [
    `${gradeWords(scenario, evidence)}.`,
    ...(engine.kernels === 'none'
      ? []
      : [
          `${engine.title} ${release.version} by its rules: ${limit(tokenBudget)} tokens a step, ${limit(maxSequences)} sequences at once, ${percent(release.memory.fraction)} of memory.`,
        ]),
    ...(ttft.grade === 'ideal'
      ? []
      : [`Bands from residuals of the same regime: TTFT ${ttft.regime}; TPOT ${tpot.regime}.`]),
    ...warnings,
  ];
}

function sources({ deployment: { model, hardware, engine } }: Scenario): readonly string[] {
  const of = (what: string, citations: readonly Citation[]): readonly string[] =>
    citations.map(
      ({ source, date, note }) =>
        `${what}: ${source}${date === undefined ? '' : `, ${date}`}${note === undefined ? '' : ` (${note})`}`,
    );
  return [
    ...of(hardware.title, hardware.sources),
    ...of(model.title, model.sources),
    ...of(engine.title, engine.sources),
    ...(hardware.uncited.length === 0 ? [] : [`${hardware.title}: without a source: ${hardware.uncited.join(', ')}`]),
  ];
}

/** What holds for every chapter. */
export const closingBlocks: readonly ReportBlock[] = [
  { kind: 'heading', level: 2, text: 'What is not modelled' },
  {
    kind: 'list',
    items: [
      'unbalanced routing of experts, beyond what balanced routing touches',
      'the network between client and server',
      'throttling that sets in over time, and other programs on the device',
      'fragmentation of memory',
      'the quality of a model in fewer bits, and of answers altogether',
    ],
  },
  { kind: 'heading', level: 2, text: 'The third clock' },
  {
    kind: 'paragraph',
    text: 'TTFT and TPOT say when tokens come. Neither says whether the tokens are grounded in the right context: that is the third clock. It takes a measurement of answers, not of time.',
  },
];
