/* What is used of Vega-Lite 6.4; see vega.d.ts. */
import type { Logger } from './vega.d.ts';

export declare function compile(spec: object, options: { readonly logger: Logger }): { readonly spec: object };
