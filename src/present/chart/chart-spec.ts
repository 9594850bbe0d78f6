/** JSON as Vega-Lite takes it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A whole Vega-Lite 6 specification with its data inside; opens in any Vega editor. */
export interface ChartSpec extends JsonObject {
  readonly $schema: typeof vegaLiteSchema;
  /** What the chart says, for people who cannot see it. */
  readonly description: string;
}

export const vegaLiteSchema = 'https://vega.github.io/schema/vega-lite/v6.json';
