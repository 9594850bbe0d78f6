/** Runs of a property: few enough for every commit; THOROUGH=20 in the environment multiplies them. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: count * Number(process.env['THOROUGH'] ?? 1),
});
