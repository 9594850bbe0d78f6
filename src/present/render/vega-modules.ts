import type { Logger } from 'vega';

/** What drawing needs of Vega and Vega-Lite. */
export interface VegaModules {
  readonly compile: (spec: object, options: { readonly logger: Logger }) => { readonly spec: object };
  readonly parse: (spec: object) => object;
  readonly View: typeof import('vega').View;
  readonly textMetrics: typeof import('vega').textMetrics;
}

/** Loads both. The bundled command has a smaller one of its own in place of this (scripts/lean-vega.ts). */
export async function vegaModules(): Promise<VegaModules> {
  const [{ compile }, { parse, View, textMetrics }] = await Promise.all([import('vega-lite'), import('vega')]);
  return { compile, parse, View, textMetrics };
}
