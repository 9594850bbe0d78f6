/** A shipped profile made wrong, and what lint has to say about it. */
export type LintCase = readonly [
  what: string,
  device: string,
  changes: Readonly<Record<string, unknown>>,
  findings: readonly (readonly [rule: string, severity: string, path: string, message: string])[],
];
