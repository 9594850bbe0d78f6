/** One measured figure with the conditions of its run: a row of docs/formats.md#measurement-csv, typed. */
export interface Measurement {
  readonly sourceId: string;
  readonly rowRef: string;
  /** Line of the file, for messages. */
  readonly line: number;
  readonly engine: string;
  readonly engineVersion: string;
  readonly hardware: string;
  readonly gpus: number;
  /** As stated; absent where the row leaves it open. */
  readonly tensor?: number;
  readonly pipeline?: number;
  readonly expert?: number;
  readonly data?: number;
  readonly model: string;
  readonly weightFormat: string;
  readonly activationFormat: string;
  readonly keyValueFormat: string;
  readonly load: MeasuredLoad;
  readonly batch?: number;
  readonly rate?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens: number;
  readonly metric: string;
  readonly value: number;
  /** What the run set apart from the columns. */
  readonly options: Readonly<Record<string, string>>;
  readonly notes: string;
}

export const measuredLoads = ['static-batch', 'closed-loop', 'open-loop', 'offline', 'single'] as const;

/** How requests came: all together, a fixed number in flight, at a rate, all submitted at once, or one by one. */
export type MeasuredLoad = (typeof measuredLoads)[number];
