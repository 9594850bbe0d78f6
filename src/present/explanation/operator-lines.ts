import { formatRounded } from '../../quantity/format-quantity.ts';
import type { OperatorFormulas } from '../../serving/step-formulas.ts';
import { grouped } from '../clock-time.ts';
import { bytes, countLines, type DerivationLine, equation, plain, share, time, work } from './derivation-line.ts';

/** Counts are the same where they differ by no more than this. */
const same = 1e-6;

const countNames = {
  flops: 'FLOPs',
  weightBytes: 'weights',
  keyValueBytes: 'KV cache',
  activationBytes: 'activations',
  linkBytes: 'message',
} as const;

/** One operator: counts from shapes, seconds from counts, and how they combine. `sequences`: of the step. */
export function operatorLines(
  operator: OperatorFormulas,
  tokens: number,
  sequences: number,
): readonly DerivationLine[] {
  const { name, launches, kind, rates, computeSeconds, trafficSeconds, formulas } = operator;
  const isCollective = kind === 'all-reduce' || kind === 'all-to-all' || kind === 'send';
  const charged = { ...operator, tokens, sequences };
  return [
    plain(
      `  ${name}${launches > 1 ? ` x ${grouped(launches)}` : ''}${computeSeconds > 0 && !isCollective ? `, ${rates.format}` : ''}`,
    ),
    ...formulas.flatMap((each) =>
      countLines(
        `    ${countNames[each.count]}${each.count === 'activationBytes' && staysOnChip(operator) ? ', kept on chip' : ''}`,
        each,
        operator[each.count],
        each.count === 'flops' ? 'work' : 'bytes',
      ),
    ),
    ...(computeSeconds > 0 ? (isCollective ? [latencyLine(operator)] : computeLines(charged)) : []),
    ...(trafficSeconds > 0 ? trafficLines(charged, isCollective) : []),
    ...besideLines(operator),
    equation('    time', combined(operator), operator.seconds),
  ];
}

/** The textbook roofline moves weights and KV alone. */
function staysOnChip({ kind, rates, trafficSeconds, weightBytes, keyValueBytes }: OperatorFormulas): boolean {
  const moved = trafficSeconds * rates.bandwidth * rates.memoryShare;
  const kept = weightBytes + keyValueBytes;
  return kind !== 'experts' && kept > 0 && Math.abs(moved / kept - 1) < same;
}

const latencyLine = ({ launches, rates, computeSeconds }: OperatorFormulas): DerivationLine =>
  equation('    latency', `${launches} * ${time(rates.latency)}`, computeSeconds);

interface Charged extends OperatorFormulas {
  readonly tokens: number;
  readonly sequences: number;
}

/** FLOPs over what the matrix unit reaches; before it what a kernel issues beyond the model's own count. */
function computeLines(operator: Charged): readonly DerivationLine[] {
  const { flops, rates, computeSeconds } = operator;
  const issued = computeSeconds * rates.peak * rates.computeShare;
  const extra = Math.abs(issued / flops - 1) < same ? [] : issuedLines(operator, issued);
  const rate = `(${formatRounded(rates.peak, 'flop-rate', 6)} * ${share(rates.computeShare)})`;
  return [...extra, equation('    compute', `${work(issued)} / ${rate}`, computeSeconds)];
}

function issuedLines(
  { flops, operator, attended, widened, rates, tokens, sequences }: Charged,
  issued: number,
): readonly DerivationLine[] {
  if (rates.halfLength !== undefined) {
    const numbers = `${work(flops)} * (${share(attended)} + ${share(rates.halfLength)} / 2 * ${share(tokens)}) / ${share(attended)}`;
    return [
      plain(
        '    issued: FLOPs * (pairs + half length / 2 * new tokens) / pairs, as short prompts fill the kernel less',
      ),
      equation('     ', numbers, issued, 'work'),
    ];
  }
  const padding = rates.headByHead === true ? 1 : (operator.padding ?? 1);
  const factors: readonly (readonly [words: string, numbers: string])[] = [
    ...(padding === 1 || rates.contextOffset === undefined
      ? []
      : [['padding to the rows of the matrix unit', share(padding)] as const]),
    ...(widened === 1 ? [] : [['rows of the checked tokens over those of one', share(widened)] as const]),
    ...(rates.contextOffset === undefined
      ? []
      : [
          [
            '(entries + fixed cost * sequences) / entries',
            withOffset(attended, rates.contextOffset, sequences),
          ] as const,
        ]),
  ];
  if (factors.length === 0) return [];
  return [
    plain(`    issued: ${['FLOPs', ...factors.map(([words]) => words)].join(' * ')}`),
    equation('     ', [work(flops), ...factors.map(([, numbers]) => numbers)].join(' * '), issued, 'work'),
  ];
}

const withOffset = (entries: number, offset: number, sequences: number): string =>
  `(${share(entries)} + ${share(offset)} * ${share(sequences)}) / ${share(entries)}`;

/** Bytes over what memory or link reaches. */
function trafficLines(operator: Charged, isCollective: boolean): readonly DerivationLine[] {
  const { rates, trafficSeconds, kind, weightBytes, keyValueBytes, activationBytes, linkBytes } = operator;
  const moved = trafficSeconds * rates.bandwidth * rates.memoryShare;
  const rate = `(${formatRounded(rates.bandwidth, 'bandwidth', 6)} * ${share(rates.memoryShare)})`;
  const parts = [weightBytes, keyValueBytes, activationBytes, linkBytes].filter((count) => count > 0);
  const total = parts.reduce((all, count) => all + count, 0);
  const label = isCollective ? '    transfer' : '    traffic';
  const line = (amount: string): DerivationLine => equation(label, `${amount} / ${rate}`, trafficSeconds);
  if (Math.abs(moved / total - 1) < same) {
    return [line(parts.length === 1 ? bytes(total) : `(${parts.map(bytes).join(' + ')})`)];
  }
  // The textbook keeps activations on chip; experts pass theirs beside the roofline.
  const kept = weightBytes + keyValueBytes;
  if (kept > 0 && Math.abs(moved / kept - 1) < same) return [line(bytes(kept))];
  if (rates.contextOffset !== undefined && (kind === 'decode-attention' || kind === 'latent-decode')) {
    const { attended, sequences } = operator;
    return [
      plain('    moved: KV cache * (entries + fixed cost * sequences) / entries'),
      equation(
        '     ',
        `${bytes(keyValueBytes)} * ${withOffset(attended, rates.contextOffset, sequences)}`,
        moved,
        'bytes',
      ),
      line(bytes(moved)),
    ];
  }
  return [line(bytes(moved))];
}

/** Activations that are read again beside the roofline: quantised on the way in, or gathered for experts. */
function besideLines({ besideSeconds, passBytes, rates, kind }: OperatorFormulas): readonly DerivationLine[] {
  if (besideSeconds === 0) return [];
  const passes = (besideSeconds * rates.bandwidth) / passBytes;
  const label = kind === 'experts' ? '    gather and scatter' : '    quantising activations';
  const expression = `${share(passes)} * ${bytes(passBytes)} / (${formatRounded(rates.bandwidth, 'bandwidth', 6)})`;
  return [equation(label, expression, besideSeconds)];
}

/** ( c^q + m^q )^(1/q) + beside + floor, written so that only numbers without unit are raised to a power. */
function combined(operator: OperatorFormulas): string {
  const { computeSeconds, trafficSeconds, besideSeconds, floorSeconds, sharpness, launches } = operator;
  const terms = [
    smoothMaximum(computeSeconds, trafficSeconds, sharpness),
    ...(besideSeconds > 0 ? [time(besideSeconds)] : []),
    ...(floorSeconds > 0 ? [floorWords(launches, floorSeconds)] : []),
  ].filter((term) => term !== '');
  return terms.length === 0 ? time(0) : terms.join(' + ');
}

const floorWords = (launches: number, seconds: number): string =>
  launches === 1 ? time(seconds) : `${launches} * ${time(seconds / launches)}`;

export function smoothMaximum(one: number, other: number, q: number): string {
  if (one === 0 && other === 0) return '';
  if (one === 0 || other === 0) return time(Math.max(one, other));
  if (q === Infinity) return `max(${time(one)}, ${time(other)})`;
  const [larger, smaller] = one >= other ? [one, other] : [other, one];
  if (q === 1) return `${time(larger)} + ${time(smaller)}`;
  return `${time(larger)} * (1 + (${time(smaller)} / ${time(larger)})^${share(q)})^(1/${share(q)})`;
}
