import type { Estimate } from '../../estimate.ts';
import type { Citation } from '../../profile/citation.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import { engineLimits } from '../../roofline/engine-limits.ts';
import type { Clock } from '../../serving/clock.ts';
import { changeWords, clockTime, digits, grouped, percent } from '../clock-time.ts';
import { grows, growsWords } from '../grows.ts';
import { resourceWords } from '../resource-words.ts';
import { deploymentTitle, gradeWords, samplingSentence, workloadTitle } from '../scenario-title.ts';
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
  /** Whether that is a rent or a price written off: the two do not compare. */
  readonly terms?: 'rented' | 'bought';
  /** What the price of this device is. */
  readonly priceBasis?: string;
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
  /** Whether that is a rent or a price written off: the two do not compare. */
  readonly terms?: 'rented' | 'bought';
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
    {
      kind: 'list',
      items: [
        ...sources(scenario),
        `prices: ${chapter.priceBasis ?? 'none known for this device'}, list of ${chapter.pricesOf}`,
      ],
    },
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
  const wait = grows(estimate) ? 'grows as long as this load lasts' : `is ${withBand(ttft)}`;
  const first = `TTFT ${wait}${decodes ? `, TPOT is ${withBand(tpot)}` : ''}.`;
  const second =
    alternatives.length === 0
      ? grows(estimate)
        ? whatBinds('TPOT', tpot, bound.tpot.resource)
        : whatBinds('TTFT', ttft, bound.ttft.resource)
      : ofAlternatives(alternatives, estimate, decodes);
  const third =
    grows(estimate) && workload.load.kind === 'rate'
      ? `The load is unstable: ${growsWords(workload.load.requestsPerSecond, { load })}.`
      : memory.fits
        ? `It fits in memory with room for ${grouped(memory.largestBatch)} requests at once; ${decodes ? `TPOT is mostly ${resourceWords[bound.tpot.resource]}` : `TTFT is mostly ${resourceWords[bound.ttft.resource]}`} (${percent(decodes ? bound.tpot.share : bound.ttft.share)}).`
        : `It does not fit: each device is short of ${formatRounded(memory.shortBy, 'bytes')}.`;
  return [first, second, third];
}

const withBand = ({ seconds, low, high, grade }: Clock): string =>
  grade === 'ideal'
    ? `${clockTime(seconds)} at best`
    : `${clockTime(seconds)} (80 % of measurements between ${clockTime(low)} and ${clockTime(high)})`;

/** What the alternatives come to in one sentence: the first, which the question is mostly about, then the best. */
function ofAlternatives(alternatives: readonly ReportAlternative[], now: Estimate, decodes: boolean): string {
  const [asked] = alternatives;
  const clocks = decodes ? (['ttft', 'tpot'] as const) : (['ttft'] as const);
  const phrases = [
    ...(asked === undefined ? [] : [`With ${asked.label} ${outcomeWords(asked.estimate, now, clocks)}`]),
    ...(alternatives.length === 1 ? [] : clocks.map((clock) => best(clock, alternatives, now))),
  ];
  return `${phrases.join('; ')}.`;
}

/** 'TTFT is 174 ms (−5 %) and TPOT 19.5 ms (−17 %)'. */
function outcomeWords(then: Estimate, now: Estimate, clocks: readonly ('ttft' | 'tpot')[]): string {
  if (!then.memory.fits)
    return `it does not fit: each device is short of ${formatRounded(then.memory.shortBy, 'bytes')}`;
  const words = clocks.map((clock, index) => {
    const is = index === 0 ? ' is' : '';
    if (clock === 'ttft' && grows(then)) return 'TTFT grows without end';
    const { seconds } = then[clock];
    const change = clock === 'ttft' && grows(now) ? 'it settles' : changeWords(seconds / now[clock].seconds - 1);
    return `${clock.toUpperCase()}${is} ${clockTime(seconds)} (${change})`;
  });
  return words.join(' and ');
}

/** Below this share a change is no reason to choose. */
const noticeable = 0.03;

function best(clock: 'ttft' | 'tpot', alternatives: readonly ReportAlternative[], now: Estimate): string {
  const name = clock.toUpperCase();
  const [fastest] = alternatives
    .filter(({ estimate }) => estimate.memory.fits && !grows(estimate))
    .toSorted((a, b) => a.estimate[clock].seconds - b.estimate[clock].seconds);
  if (fastest === undefined) return `no alternative gives a steady ${name}`;
  const { seconds } = fastest.estimate[clock];
  const settles = clock === 'ttft' && grows(now);
  const change = seconds / now[clock].seconds - 1;
  return settles || change < -noticeable
    ? `${name} is shortest with ${fastest.label} (${clockTime(seconds)}${settles ? '' : `, ${changeWords(change)}`})`
    : `no alternative shortens ${name} by more than ${percent(noticeable)}`;
}

function numbers({
  estimate,
  dollars: now,
  terms: termsNow,
  alternatives,
}: ReportChapter): Extract<ReportBlock, { readonly kind: 'table' }>['table'] {
  const base = {
    label: 'as it is',
    estimate,
    cautions: [],
    ...(now === undefined ? {} : { dollars: now }),
    ...(termsNow === undefined ? {} : { terms: termsNow }),
  };
  const rows: readonly ReportAlternative[] = [base, ...alternatives];
  const isMixed = new Set(rows.flatMap(({ terms }) => terms ?? [])).size > 1;
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
    rows: rows.map(({ label, estimate: then, dollars, terms }) => {
      const { ttft, tpot, throughput, memory } = then;
      if (!memory.fits) return [label, 'does not fit', ...Array.from({ length: 8 }, () => '')];
      const waits = grows(then) ? ['grows', ''] : [clockTime(ttft.seconds), bandOf(ttft)];
      return [
        label,
        ...waits,
        clockTime(tpot.seconds),
        bandOf(tpot),
        clockTime(ttft.ideal),
        clockTime(tpot.ideal),
        digits(throughput.outputTokensPerSecondPerDevice),
        grouped(memory.largestBatch),
        dollars === undefined
          ? 'no price known'
          : `${digits(dollars)}${isMixed && terms !== undefined ? ` (${terms})` : ''}`,
      ];
    }),
  };
}

const bandOf = ({ low, high, grade }: Clock): string =>
  grade === 'ideal' ? '' : `${clockTime(low)} and ${clockTime(high)}`;

function cautions(alternatives: readonly ReportAlternative[]): readonly ReportBlock[] {
  const items = alternatives.flatMap(({ label, cautions: words }) => words.map((each) => `${label}: ${each}`));
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

function assumptions(scenario: Scenario, { evidence, warnings, ttft, tpot }: Estimate): readonly string[] {
  const { engine, release, hardware } = scenario.deployment;
  const { tokenBudget, maxSequences } = engineLimits(release, hardware);
  const sampled = samplingSentence(scenario);
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
      : [`Bands hold 80 % of what public rows of the same kind measured: ${ttft.regime}; ${tpot.regime}.`]),
    ...(sampled === undefined ? [] : [sampled]),
    ...warnings,
  ];
}

function sources({ deployment: { model, hardware, engine, release } }: Scenario): readonly string[] {
  const of = (what: string, citations: readonly Citation[]): readonly string[] =>
    citations.map(
      ({ source, date, note }) =>
        `${what}: ${source}${date === undefined ? ', no date given' : `, ${date}`}${note === undefined ? '' : ` (${note})`}`,
    );
  return [
    ...of(hardware.title, hardware.sources),
    ...of(model.title, model.sources),
    ...of(`${model.title}, sampling`, model.generation === undefined ? [] : [model.generation.citation]),
    ...of(engine.title, engine.sources),
    ...of(`${engine.title}, sampler`, release.sampler?.citations ?? []),
    ...(hardware.uncited.length === 0 ? [] : [`${hardware.title}: without a source: ${hardware.uncited.join(', ')}`]),
  ];
}

/** What holds for every chapter. */
export const closingBlocks: readonly ReportBlock[] = [
  { kind: 'heading', level: 2, text: 'What is not modelled' },
  {
    kind: 'list',
    items: [
      'which experts are popular with your prompts, beyond a spread of popularity that holds for many',
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
