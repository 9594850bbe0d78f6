/*
 * What is used of Vega 6.4. Its own declarations do not pass a strict compiler without the DOM's types (found by the
 * `paths` of tsconfig.json).
 */
export interface Logger {
  level: (level?: number) => number | Logger;
  error: (...words: readonly unknown[]) => Logger;
  warn: (...words: readonly unknown[]) => Logger;
  info: (...words: readonly unknown[]) => Logger;
  debug: (...words: readonly unknown[]) => Logger;
}

export declare const textMetrics: {
  width: (item: { readonly fontSize?: number; readonly fontWeight?: string | number }, text: unknown) => number;
};

export declare function parse(spec: object): object;

export declare class View {
  constructor(runtime: object, options: { readonly renderer: 'none'; readonly logger: Logger });
  toSVG(): Promise<string>;
  finalize(): this;
}
