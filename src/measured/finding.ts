/** What a look at a run found: which rule, where, how sure, what it is, and what it does to conclusions. */
export interface Finding {
  readonly rule: DoctorRule;
  readonly where: string;
  /** `broken`: the figures contradict each other or physics; `careful`: they hold for less than they seem to; `note`: worth knowing. */
  readonly severity: 'broken' | 'careful' | 'note';
  /** `certain`: follows from the figures; `likely`: the usual cause of such figures; `possible`: cannot be told from the file. */
  readonly certainty: 'certain' | 'likely' | 'possible';
  /** One sentence with the figures. */
  readonly what: string;
  /** One sentence: what not to conclude, or what to do instead. */
  readonly effect: string;
}

export type DoctorRule =
  | 'end-to-end'
  | 'units'
  | 'percentiles'
  | 'token-totals'
  | 'requests'
  | 'little'
  | 'achieved-rate'
  | 'rate-limited'
  | 'all-at-once'
  | 'overload'
  | 'chunks'
  | 'sample-size'
  | 'warm-up'
  | 'steady-state'
  | 'floor'
  | 'utilisation'
  | 'prefix-cache'
  | 'kv-cache'
  | 'mixed'
  | 'coverage';
