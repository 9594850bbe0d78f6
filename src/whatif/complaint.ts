import type { Load, Workload } from '../profile/workload.ts';
import type { CompiledDeployment } from '../serving/compiled.ts';
import { type QuickOutcome, quickOutcomeOf } from './quick-outcome.ts';

/** What a user says, as two workloads: one that is fine and one that is felt to be slow. */
export interface Complaint {
  readonly name: string;
  readonly said: string;
  readonly usual: (workload: Workload) => Workload;
  readonly felt: (workload: Workload) => Workload;
  /** The clock that the words themselves are about; absent where the two workloads have to tell. */
  readonly about?: 'ttft' | 'tpot';
}

/** Longer documents and answers than those that nobody complains of, by this factor. */
const longer = 8;

/** Requests at peak over those of a quiet hour. */
const busier = 8;

const scaledLoad = (load: Load, factor: number): Load =>
  load.kind === 'rate'
    ? { kind: 'rate', requestsPerSecond: load.requestsPerSecond * factor }
    : { kind: load.kind, size: Math.max(1, Math.round(load.size * factor)) };

/** One user compares own requests with own requests: what others ask for is the same in both. */
const alone = (workload: Workload): Workload => ({ ...workload, load: { kind: 'concurrency', size: 1 } });

/** Complaints as people make them. Which clock is behind one, and which lever helps, is computed. */
export const complaints: readonly Complaint[] = [
  {
    name: 'slow-start',
    said: 'it takes forever to start',
    usual: (workload) => workload,
    felt: (workload) => workload,
    about: 'ttft',
  },
  {
    name: 'trickle',
    said: 'the text trickles',
    usual: (workload) => workload,
    felt: (workload) => workload,
    about: 'tpot',
  },
  {
    name: 'long-documents',
    said: 'long documents take much longer',
    usual: alone,
    felt: (workload) => ({ ...alone(workload), prompt: workload.prompt * longer }),
  },
  {
    name: 'peak',
    said: 'everything slows at peak',
    usual: (workload) => workload,
    felt: (workload) => ({ ...workload, load: scaledLoad(workload.load, busier) }),
  },
  {
    name: 'summaries',
    said: 'short answers fine, summaries slow',
    usual: (workload) => ({ ...alone(workload), output: Math.max(2, Math.round(workload.output / longer)) }),
    felt: (workload) => ({ ...alone(workload), output: Math.max(2 * longer, workload.output) }),
  },
];

/** Which clock is behind a complaint, from both workloads. */
export interface Diagnosis {
  readonly complaint: string;
  readonly clock: 'ttft' | 'tpot';
  readonly usual: { readonly workload: Workload; readonly outcome: QuickOutcome };
  readonly felt: { readonly workload: Workload; readonly outcome: QuickOutcome };
  /** Seconds that a request takes longer: until the first token, and after it. */
  readonly longer: { readonly start: number; readonly answer: number };
  /** Each clock over what it usually is. */
  readonly grows: { readonly ttft: number; readonly tpot: number };
  readonly sentence: string;
}

/** Compares the workload that is fine with the one that is felt to be slow: the clock that adds most of the wait is behind it. */
export function diagnose(complaint: Complaint, compiled: CompiledDeployment, workload: Workload): Diagnosis {
  const { said, name, about } = complaint;
  const measured = (of: Workload): Diagnosis['usual'] => ({ workload: of, outcome: quickOutcomeOf(compiled, of) });
  const usual = measured(complaint.usual(workload));
  const felt = measured(complaint.felt(workload));
  const after = ({ outcome }: Diagnosis['usual']): number => outcome.e2e - outcome.ttft;
  const longerBy = { start: felt.outcome.ttft - usual.outcome.ttft, answer: after(felt) - after(usual) };
  const isUnstable = felt.outcome.stability?.verdict === 'unstable';
  const clock = about ?? (isUnstable || longerBy.start > longerBy.answer ? 'ttft' : 'tpot');
  const grows = {
    ttft: felt.outcome.ttft / usual.outcome.ttft,
    tpot: felt.outcome.tpot / usual.outcome.tpot,
  };
  return {
    complaint: name,
    clock,
    usual,
    felt,
    longer: longerBy,
    grows,
    sentence: `'${said}' ${about === undefined ? comparison(clock, longerBy, grows, isUnstable) : `is about ${clockWords[clock]}.`}`,
  };
}

const clockWords = {
  ttft: 'the wait for the first token (TTFT)',
  tpot: 'the pace of the tokens after it (TPOT)',
} as const;

function comparison(
  clock: 'ttft' | 'tpot',
  { start, answer }: Diagnosis['longer'],
  grows: Diagnosis['grows'],
  isUnstable: boolean,
): string {
  const times = `TTFT grows ${grows.ttft.toFixed(1)} times, TPOT ${grows.tpot.toFixed(1)} times`;
  if (isUnstable) return `comes to ${clockWords.ttft}: more requests arrive than leave, so it grows without end.`;
  const share = (clock === 'ttft' ? start : answer) / (Math.max(0, start) + Math.max(0, answer));
  const part = clock === 'ttft' ? 'before the first token' : 'after the first token';
  return `comes to ${clockWords[clock]}: ${Math.round(Math.min(1, share) * 100)} % of what a request takes longer is ${part} (${times}).`;
}
