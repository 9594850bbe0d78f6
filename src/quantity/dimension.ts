/** Kinds of quantity that a profile, a scenario or a result may hold. */
export const dimensions = [
  'bytes',
  'bandwidth',
  'work',
  'flop-rate',
  'power',
  'energy',
  'frequency',
  'time',
  'bits',
  'money',
  'price',
  'energy-price',
  'request-rate',
  'token-rate',
  'count',
  'ratio',
] as const;

export type Dimension = (typeof dimensions)[number];

/** How a dimension is spoken of and in which unit the program holds it. */
export interface DimensionFacts {
  /** What a value of this dimension is, for "'80 GB' is ...". */
  readonly noun: string;
  /** The same as the thing that was wanted, for "expected ...". */
  readonly expected: string;
  readonly example: string;
  /** Unit inside the program; empty for pure numbers. */
  readonly base: string;
}

/**
 * Facts of every dimension. Inside the program: bytes, bytes/s, FLOP/s (an integer operation counts as one), watts,
 * joules, hertz, seconds, bits, US dollars, US dollars per second, US dollars per joule, requests/s, tokens/s, and
 * pure numbers.
 */
export const dimensionFacts: Readonly<Record<Dimension, DimensionFacts>> = {
  bytes: { noun: 'an amount of data', expected: 'an amount of data', example: '80 GB', base: 'B' },
  bandwidth: { noun: 'a data rate', expected: 'a rate', example: '3.35 TB/s', base: 'B/s' },
  work: { noun: 'an amount of work', expected: 'an amount of work', example: '1.2 TFLOP', base: 'FLOP' },
  'flop-rate': {
    noun: 'a rate of operations',
    expected: 'operations a second',
    example: '989.4 TFLOP/s',
    base: 'FLOP/s',
  },
  power: { noun: 'a power', expected: 'a power', example: '700 W', base: 'W' },
  energy: { noun: 'an amount of energy', expected: 'an amount of energy', example: '1.2 kWh', base: 'J' },
  frequency: { noun: 'a frequency', expected: 'a frequency', example: '1.8 GHz', base: 'Hz' },
  time: { noun: 'a time', expected: 'a time', example: '12 us', base: 's' },
  bits: { noun: 'an amount of data', expected: 'a number of bits', example: '4.5 bit', base: 'bit' },
  money: { noun: 'an amount of money', expected: 'an amount of money', example: '25000 USD', base: 'USD' },
  price: { noun: 'a price per time', expected: 'a price per time', example: '2.49 USD/h', base: 'USD/s' },
  'energy-price': { noun: 'a price of energy', expected: 'a price of energy', example: '0.12 USD/kWh', base: 'USD/J' },
  'request-rate': { noun: 'a request rate', expected: 'a request rate', example: '4 req/s', base: 'req/s' },
  'token-rate': { noun: 'a token rate', expected: 'a token rate', example: '120 tok/s', base: 'tok/s' },
  count: { noun: 'a pure number', expected: 'a whole number', example: '64', base: '' },
  ratio: { noun: 'a pure number', expected: 'a pure number', example: '0.9', base: '' },
};
