import type { Operator, Term, Variable, WeightFormat } from '../operator/operator.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { MatrixFormat } from '../quantity/matrix-format.ts';
import { type Arithmetic, arithmeticFor, fastestPeak } from './arithmetic.ts';
import type { DecodeAttentionEfficiency, Efficiency, HeadByHead, PrefillAttentionEfficiency } from './efficiency.ts';
import { linkBetween } from './link.ts';

/** Seconds that one unit of a step's variable adds to an operator, by kind. */
export interface Slot {
  readonly variable: Variable;
  /** Matrix unit, or latency of a collective. */
  readonly compute: number;
  readonly weight: number;
  readonly keyValue: number;
  readonly activation: number;
  readonly link: number;
  /** Activation traffic that adds to the roofline instead of hiding under it (quantisation, gather and scatter). */
  readonly beside: number;
}

/** An operator on a device: t = (compute^q + traffic^q)^(1/q) + beside + floor. */
export interface TimedOperator {
  readonly slots: readonly Slot[];
  /** q; Infinity is the textbook maximum. */
  readonly sharpness: number;
  /** Seconds per launch. */
  readonly floor: number;
  readonly isCollective: boolean;
  readonly rates: AssumedRates;
}

/** What a device is taken to reach for an operator; the slots are counts over these. */
export interface AssumedRates {
  /** Peak of the format that it multiplies in, FLOP/s, and the share reached. */
  readonly peak: number;
  readonly format: MatrixFormat;
  readonly computeShare: number;
  /** Peak bytes/s of memory (or of the link, for collectives), and the share reached. */
  readonly bandwidth: number;
  readonly memoryShare: number;
  /** Latency of one launch of a collective, else 0, seconds. */
  readonly latency: number;
  /** Prefill attention: prompt length at which half of the share is reached, tokens. */
  readonly halfLength?: number;
  /** Decode attention: fixed cost of a sequence, in entries read. */
  readonly contextOffset?: number;
  /** Decode attention: each query head by itself, so that none is padded to the rows of a matrix unit. */
  readonly headByHead?: boolean;
}

/** Two slots of the same variable as one. */
export const addedSlots = (a: Slot, b: Slot): Slot => ({
  variable: a.variable,
  compute: a.compute + b.compute,
  weight: a.weight + b.weight,
  keyValue: a.keyValue + b.keyValue,
  activation: a.activation + b.activation,
  link: a.link + b.link,
  beside: a.beside + b.beside,
});

const none: Omit<Slot, 'variable'> = { compute: 0, weight: 0, keyValue: 0, activation: 0, link: 0, beside: 0 };

const slot = (variable: Variable, seconds: Partial<Omit<Slot, 'variable'>>): Slot => ({
  variable,
  ...none,
  ...seconds,
});

/** Typical seconds of an operator: the counts over what the family's kernels reach. Sources: `Efficiency`. */
export function typicalSeconds(operator: Operator, device: Hardware, efficiency: Efficiency): TimedOperator {
  const hardware = efficiency.halfSums === true ? withHalfSums(device) : device;
  switch (operator.kind) {
    case 'gemm':
      return gemm(operator, hardware, efficiency);
    case 'experts':
      return experts(operator, hardware, efficiency);
    case 'prefill-attention':
      return prefillAttention(
        operator,
        hardware,
        (operator.fp8Cache === true ? efficiency.fp8PrefillAttention : undefined) ?? efficiency.prefillAttention,
      );
    case 'latent-prefill':
      return prefillAttention(operator, hardware, efficiency.latentPrefill);
    case 'decode-attention':
      return decodeAttention(operator, hardware, efficiency.decodeAttention, efficiency.headByHead);
    case 'latent-decode':
      return decodeAttention(operator, hardware, efficiency.latentDecode);
    case 'recurrence':
    case 'element-wise':
      return elementWise(operator, hardware, efficiency);
    case 'all-reduce':
    case 'all-to-all':
    case 'send':
      return collective(operator, hardware, efficiency);
  }
}

/** The device as kernels see it that sum up in FP16. */
const withHalfSums = (hardware: Hardware): Hardware => ({
  ...hardware,
  matrix: { ...hardware.matrix, ...hardware.matrixFp16Accumulate },
});

/** Shares of peak in place of the ideal's 1. */
export interface Utilisation {
  readonly compute: number;
  readonly memory: number;
}

/**
 * Textbook seconds: FLOPs over the fastest peak, weights and KV over the whole bandwidth, the larger of the two.
 * Activations stay on chip.
 */
export function idealSeconds(operator: Operator, hardware: Hardware, utilisation: Utilisation): TimedOperator {
  const arithmetic = arithmeticFor(operator.weights ?? sixteenBits, hardware);
  const peak = fastestPeak(arithmetic, hardware);
  const rates = ratesOf({ ...arithmetic, peak }, utilisation, hardware);
  const compute = peak * utilisation.compute;
  const bandwidth = hardware.memory.bandwidth * utilisation.memory;
  return {
    rates,
    slots: operator.terms.map((each) =>
      slot(each.variable, {
        compute: each.flops / compute,
        weight: each.weightBytes / bandwidth,
        keyValue: each.keyValueBytes / bandwidth,
      }),
    ),
    sharpness: Infinity,
    floor: 0,
    isCollective: false,
  };
}

/** Attention and recurrence multiply in 16 bits; FP16 and BF16 run alike wherever sums are kept in FP32. */
const sixteenBits: WeightFormat = { name: 'fp16', bits: 16, activations: 'fp16' };

const sixteenBitArithmetic = (hardware: Hardware): Arithmetic => arithmeticFor(sixteenBits, hardware);

const ratesOf = (
  { peak, format }: Pick<Arithmetic, 'peak' | 'format'>,
  reached: { readonly compute: number; readonly memory: number },
  hardware: Hardware,
): AssumedRates => ({
  peak,
  format,
  computeShare: reached.compute,
  bandwidth: hardware.memory.bandwidth,
  memoryShare: reached.memory,
  latency: 0,
});

function gemm(operator: Operator, hardware: Hardware, efficiency: Efficiency): TimedOperator {
  const arithmetic = arithmeticFor(operator.weights ?? sixteenBits, hardware);
  const reached = efficiency.gemm[arithmetic.gemmClass];
  const compute = arithmetic.peak * reached.compute;
  const bandwidth = hardware.memory.bandwidth * reached.memory;
  const pass = operator.inputPass;
  return {
    rates: ratesOf(arithmetic, reached, hardware),
    slots: operator.terms.map((each) =>
      slot(each.variable, {
        compute: each.flops / compute,
        weight: each.weightBytes / bandwidth,
        activation: each.activationBytes / bandwidth,
        beside:
          pass?.variable === each.variable
            ? (reached.quantisationPasses * pass.activationBytes) / hardware.memory.bandwidth
            : 0,
      }),
    ),
    sharpness: reached.sharpness,
    floor: reached.floor,
    isCollective: false,
  };
}

function experts(operator: Operator, hardware: Hardware, efficiency: Efficiency): TimedOperator {
  const arithmetic = arithmeticFor(operator.weights ?? sixteenBits, hardware);
  const reached = efficiency.experts[arithmetic.gemmClass];
  const compute = arithmetic.peak * reached.compute;
  const bandwidth = hardware.memory.bandwidth * reached.memory;
  return {
    rates: ratesOf(arithmetic, reached, hardware),
    slots: operator.terms.map((each) =>
      slot(each.variable, {
        compute: each.flops / compute,
        weight: each.weightBytes / bandwidth,
        beside: (reached.activationPasses * each.activationBytes) / hardware.memory.bandwidth,
      }),
    ),
    sharpness: reached.sharpness,
    floor: reached.floor,
    isCollective: false,
  };
}

/**
 * Efficiency grows with the prompt, e(S) = e S / (S + h). As pairs = S^2 / 2, the missing part is h / 2 pairs a
 * token, which keeps the operator linear in pairs and tokens.
 */
function prefillAttention(operator: Operator, hardware: Hardware, reached: PrefillAttentionEfficiency): TimedOperator {
  const compute = sixteenBitArithmetic(hardware).peak * reached.compute;
  const bandwidth = hardware.memory.bandwidth * reached.memory;
  const flopsPerPair = operator.terms.find(({ variable }) => variable.startsWith('pairs/'))?.flops ?? 0;
  return {
    rates: { ...ratesOf(sixteenBitArithmetic(hardware), reached, hardware), halfLength: reached.halfLength },
    slots: operator.terms.map((each) =>
      slot(each.variable, {
        compute:
          (each.flops + (each.variable === 'prefillTokens' ? (flopsPerPair * reached.halfLength) / 2 : 0)) / compute,
        keyValue: each.keyValueBytes / bandwidth,
        activation: each.activationBytes / bandwidth,
      }),
    ),
    sharpness: reached.sharpness,
    floor: reached.floor,
    isCollective: false,
  };
}

/** Compute and traffic both grow as (context + offset), so their smooth maximum does too, and decode has a closed form. */
function decodeAttention(
  operator: Operator,
  hardware: Hardware,
  kernel: DecodeAttentionEfficiency,
  headByHead?: HeadByHead,
): TimedOperator {
  const alone = aloneAt(operator.queriesPerEntry ?? 1, kernel, headByHead);
  const reached = alone ?? kernel;
  const padding = alone === undefined ? (operator.padding ?? 1) : 1;
  const compute = (sixteenBitArithmetic(hardware).peak * reached.compute) / padding;
  const bandwidth = hardware.memory.bandwidth * reached.memory;
  const perEntry = operator.terms.map((each) =>
    slot(each.variable, { compute: each.flops / compute, keyValue: each.keyValueBytes / bandwidth }),
  );
  const offset = perEntry.map((each) =>
    slot('decodeSequences', {
      compute: each.compute * reached.contextOffset,
      keyValue: each.keyValue * reached.contextOffset,
    }),
  );
  return {
    rates: {
      ...ratesOf(sixteenBitArithmetic(hardware), reached, hardware),
      contextOffset: reached.contextOffset,
      ...(alone === undefined ? {} : { headByHead: true }),
    },
    slots: [...perEntry, ...offset],
    sharpness: reached.sharpness,
    floor: reached.floor,
    isCollective: false,
  };
}

/** What a kernel that takes query heads one by one reaches; undefined where another takes them together. */
function aloneAt(
  queriesPerEntry: number,
  together: DecodeAttentionEfficiency,
  { single, grouped }: HeadByHead = {},
): DecodeAttentionEfficiency | undefined {
  if (queriesPerEntry === 1) return single;
  return grouped?.except.includes(queriesPerEntry) === false ? { ...together, compute: grouped.compute } : undefined;
}

function elementWise(operator: Operator, hardware: Hardware, efficiency: Efficiency): TimedOperator {
  const bandwidth = hardware.memory.bandwidth * efficiency.elementWise.memory;
  // A recurrence runs on the matrix unit in chunks, about as well as prefill attention.
  const compute = sixteenBitArithmetic(hardware).peak * efficiency.prefillAttention.compute;
  const reached = { compute: efficiency.prefillAttention.compute, memory: efficiency.elementWise.memory };
  return {
    rates: ratesOf(sixteenBitArithmetic(hardware), reached, hardware),
    slots: operator.terms.map((each: Term) =>
      slot(each.variable, {
        compute: each.flops / compute,
        keyValue: each.keyValueBytes / bandwidth,
        activation: each.activationBytes / bandwidth,
      }),
    ),
    sharpness: efficiency.prefillAttention.sharpness,
    floor: efficiency.elementWise.floor,
    isCollective: false,
  };
}

/**
 * Latency and transfer of a collective, combined with an exponent below 1: in between, both are felt in full and
 * more (EFFICIENCY section 6). A hand-over between two stages pays one latency.
 */
function collective(operator: Operator, hardware: Hardware, efficiency: Efficiency): TimedOperator {
  const ranks = operator.ranks ?? 2;
  const link = linkBetween(hardware, ranks, efficiency.collective);
  const stages = operator.kind === 'send' ? 1 : Math.log2(ranks);
  const bandwidth = link.bandwidth * link.share;
  const transfers = operator.terms.filter(({ variable }) => variable !== 'once');
  const { peak, format } = sixteenBitArithmetic(hardware);
  return {
    rates: {
      peak,
      format,
      computeShare: 1,
      bandwidth: link.bandwidth,
      memoryShare: link.share,
      latency: link.floor * stages,
    },
    slots: [
      ...transfers.map((each) => slot(each.variable, { link: each.linkBytes / bandwidth })),
      slot('once', { compute: link.floor * stages * operator.count }),
    ],
    sharpness: efficiency.collective.sharpness,
    floor: 0,
    isCollective: true,
  };
}
