import type { Catalog } from './catalog.ts';

/** One option of the command line. */
export interface Option {
  /** `text` takes a value, `flag` none, `list` a value each time it is given. */
  readonly type: 'text' | 'flag' | 'list';
  readonly describe: string;
  /** Heading in the help. */
  readonly group: string;
  /** Further spellings, single letters included. */
  readonly alias?: readonly string[];
  /** Values that the shell's completion offers and that a wrong value is compared with. */
  readonly choices?: readonly string[];
}

export type OptionTable = Readonly<Record<string, Option>>;

/** What was typed, checked against the command's options only: values are still text. */
export interface Given {
  readonly text: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly positionals: readonly string[];
}

/** What a command may use of the world around it; tests give their own. */
export interface Surroundings {
  readonly version: string;
  readonly catalog: Catalog;
  /** Text goes to a terminal that takes colours. */
  readonly colour: boolean;
  readonly readInput: () => Promise<Uint8Array>;
}

/** What a command ends with: printed in one place. 0 fine, 1 findings, 2 wrong input. */
export interface Outcome {
  readonly output?: string;
  readonly error?: string;
  readonly code: 0 | 1 | 2;
}

/** One command, in one file of its own under commands/. */
export interface Command {
  /** Positional arguments as the help shows them: '<name>', '<profile.json...>', '' for none. */
  readonly positionals: string;
  /** How many positional arguments are wanted: at least, at most. */
  readonly counts: readonly [number, number];
  readonly options: OptionTable;
  /** Worked examples and remarks under the options. */
  readonly epilogue: string;
  readonly run: (given: Given, surroundings: Surroundings) => Promise<Outcome>;
}
