import type { Scenario } from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { type Advice, type Advised, rankings, type Ranking } from '../whatif/advise.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, digits } from './clock-time.ts';
import { screenWidth } from './estimate-text.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { deploymentTitle, workloadTitle } from './scenario-title.ts';
import { signedPercent } from './what-if-text.ts';
import { wrapText } from './wrap-text.ts';

const titles: Readonly<Record<Ranking, string>> = {
  ttft: 'For a shorter TTFT',
  tpot: 'For a shorter TPOT',
  e2e: 'For a shorter request',
  cost: 'For cheaper tokens',
};

/** The levers that shorten each clock most, with what each costs elsewhere, and the first to try. */
export function adviseText(scenario: Scenario, advised: Advised, top: number, paint: Paint = plainPaint): string {
  const { base, diagnosis, ranks, first } = advised;
  const { stability } = base;
  const workload = diagnosis?.felt.workload ?? scenario.workload;
  const cost = base.cost === undefined ? '' : `, ${digits(base.cost)} USD per million output tokens`;
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2).map(paint.strong),
    workloadTitle(workload),
    ...(stability?.verdict === 'unstable'
      ? unstableLines(stability.largestRate, workload.load)
      : [`TTFT ${clockTime(base.ttft)}, TPOT ${clockTime(base.tpot)}, whole request ${clockTime(base.e2e)}${cost}`]),
    ...(diagnosis === undefined ? [] : ['', ...wrapText(plainText(capital(diagnosis.sentence)), screenWidth, 2)]),
    ...rankings.flatMap((ranking) => section(ranking, ranks[ranking], first[ranking], top, paint)),
    '',
    ...wrapText(
      `${advised.levers.length} levers fit, ${advised.refused.length} do not apply or do not fit; --json lists all.`,
      screenWidth,
      2,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the load asks for and what can leave, and how many copies would carry it. */
function unstableLines(largestRate: number, load: Load): readonly string[] {
  const arriving = load.kind === 'rate' ? load.requestsPerSecond : largestRate;
  const times = digits(arriving / largestRate);
  return wrapText(
    `Unstable: ${digits(arriving)} requests/s arrive and ${digits(largestRate)} leave at most, so TTFT grows without end; it takes ${times} times as many replicas. Only what settles the queue is listed.`,
    screenWidth,
    2,
  );
}

function section(
  ranking: Ranking,
  ranked: readonly Advice[],
  first: Advice | undefined,
  top: number,
  paint: Paint,
): readonly string[] {
  if (ranked.length === 0) return ['', paint.strong(titles[ranking]), '  nothing that was tried helps noticeably'];
  const shown = ranked.slice(0, top);
  const withFirst = first === undefined || shown.includes(first) ? shown : [...shown, first];
  const rows = withFirst.map((advice) => [
    `${advice === first ? '* ' : '  '}${shortened(advice.label)}`,
    advice.ratios.ttft === 0 ? 'settles' : signedPercent(advice.ratios.ttft),
    signedPercent(advice.ratios.tpot),
    advice.ratios.cost === undefined ? '' : signedPercent(advice.ratios.cost),
    shortened(elsewhere(advice, ranking), 34),
  ]);
  const [header = '', ...body] = alignColumns([['', 'TTFT', 'TPOT', 'cost', 'costs elsewhere'], ...rows], [1, 2, 3]);
  return [
    '',
    paint.strong(`${titles[ranking]}${first === undefined ? '' : ` (first to try: ${plainText(first.label)})`}`),
    paint.quiet(header),
    ...body,
  ];
}

/** What is lost elsewhere; the columns say the clocks already. */
const elsewhere = ({ costs }: Advice, _ranking: Ranking): string =>
  costs.filter((cost) => !/^(?:TTFT|TPOT|cost per token) /.test(cost)).join('; ');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const shortened = (text: string, most = 40): string => {
  const plain = plainText(text);
  return plain.length <= most ? plain : `${plain.slice(0, most - 3)}...`;
};
