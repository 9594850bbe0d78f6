/** Wrong input; the message is one sentence for the person who typed it. Exit code 2. */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}

/** Errors of all areas whose message is such a sentence. Compared by name, so that no area has to be loaded for it. */
const spokenErrors: ReadonlySet<string> = new Set([
  'InputError',
  'ProfileError',
  'ScenarioError',
  'QuantityError',
  'ConfigurationError',
  'GgufError',
  'CatalogError',
  'LeverError',
  'BenchmarkError',
  'MeasurementError',
  'SimulationError',
  'TraceError',
  'RenderError',
]);

/** The sentence of an error that is about the input; undefined for anything else, which is a fault of the program. */
export function inputSentence(error: unknown): string | undefined {
  return error instanceof Error && spokenErrors.has(error.name) ? error.message : undefined;
}

/** Areas end their sentences with or without a full stop. */
export const complaint = (sentence: string): string => `twoclocks: ${sentence}${/[.?!]$/.test(sentence) ? '' : '.'}\n`;
