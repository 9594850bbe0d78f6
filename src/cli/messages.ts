import { distance } from 'fastest-levenshtein';
import type { ProfileKind } from '../catalog/catalog-entry.ts';
import { plainText, shortened } from '../present/plain-text.ts';
import type { Disaggregation } from '../profile/scenario.ts';

/* Every sentence of the command line about what was typed. */

export const shown = (text: string): string => `'${plainText(shortened(text, 60))}'`;

export const unknownCommand = (name: string, known: readonly string[]): string =>
  `no command ${shown(name)}${meant(name, known)}; 'twoclocks --help' lists all.`;

export function unknownOption(name: string, command: string, known: readonly string[]): string {
  const whole = command === '' ? 'twoclocks' : `twoclocks ${command}`;
  return `'${whole}' has no option ${shown(dashed(name))}${meant(dashed(name), known.map(dashed))}; '${whole} --help' lists all.`;
}

export const missingValue = (name: string): string => `${dashed(name)} needs a value.`;

export const needlessValue = (name: string, value: string): string =>
  `${dashed(name)} takes no value, but ${shown(value)} was given.`;

export const givenTwice = (name: string, values: readonly string[]): string =>
  `${dashed(name)} was given ${values.length} times (${values.map(shown).join(', ')}); expected once.`;

export const wrongChoice = (name: string, value: string, choices: readonly string[]): string =>
  `${dashed(name)} is ${shown(value)}; expected one of ${choices.join(', ')}.`;

export const missingArgument = (command: string, positionals: string): string =>
  `'twoclocks ${command}' wants ${positionals}; 'twoclocks ${command} --help' shows examples.`;

export const needlessArgument = (command: string, value: string): string =>
  `'twoclocks ${command}' takes no further argument, but ${shown(value)} was given.`;

export const missingOption = (name: string, expected: string): string =>
  `${dashed(name)} is missing; expected ${expected}.`;

export const notACount = (name: string, value: string): string =>
  `${dashed(name)} is ${shown(value)}; expected a whole number such as 2000, 2k or 128_000.`;

export const notCached = (value: string): string =>
  `--cached is ${shown(value)}; expected tokens of the prompt such as 2k, or a share of it from 0 to 100 %.`;

export const notANumber = (name: string, value: string, expected: string): string =>
  `${dashed(name)} is ${shown(value)}; expected ${expected}.`;

export const severalLoads = (given: readonly string[]): string =>
  `${given.map(dashed).join(' and ')} are given together; a load is exactly one of --batch, --concurrency and --rate.`;

export const needsIdeal = (name: string): string =>
  `${dashed(name)} sets the share of peak that the textbook sum uses; give it together with --ideal.`;

/** How the groups beside `--tp` are counted. */
const groupsOf = (pools: Pools | undefined): string =>
  pools === undefined ? '--replicas' : `the ${pools.prefill} + ${pools.decode} groups of --disaggregate`;

type Pools = Pick<Disaggregation, 'prefill' | 'decode'>;

export const devicesDoNotDivide = (devices: number, others: number, pools?: Pools): string =>
  `--devices is ${devices}, which --pp x --dp x ${groupsOf(pools)} = ${others} does not divide; expected a multiple of ${others}.`;

export const devicesDisagree = (devices: number, spread: number, pools?: Pools): string =>
  `--devices is ${devices}, but --tp x --pp x --dp x ${groupsOf(pools)} = ${spread}; leave one of them out.`;

export const replicasAndPools = (replicas: number, { prefill, decode }: Pools): string =>
  `--replicas is ${replicas}, but --disaggregate has ${prefill} + ${decode} = ${prefill + decode} groups; leave --replicas out.`;

export const poolsOfDataGroups = (data: number): string =>
  `--dp is ${data}, but data parallel groups share their experts, so that --disaggregate cannot split them; expected --dp 1.`;

export const acceptanceOutside = (share: number): string =>
  `--speculation acceptance is ${share}; expected the chance that a drafted token is kept, between 0 and 1.`;

const nouns: Readonly<Record<ProfileKind, string>> = { hardware: 'device', models: 'model', engines: 'engine' };

export const whichOne = (
  kind: ProfileKind,
  name: string,
  { candidates, more }: { readonly candidates: readonly string[]; readonly more: number },
): string =>
  more === 0
    ? `which ${nouns[kind]} is ${shown(name)}: ${orList(candidates)}?`
    : `which ${nouns[kind]} is ${shown(name)}: ${candidates.join(', ')}, or one of ${more} more ('twoclocks list ${kind}' shows all)?`;

export const unknownRelease = (engine: string, version: string, known: readonly string[]): string =>
  `${engine} has no release ${shown(version)}; known from: ${known.join(', ')}.`;

export const unreadable = (path: string, reason: string): string => `${shown(path)} cannot be read: ${reason}.`;

export const tooLargeFile = (path: string, bytes: number, limit: number): string =>
  `${shown(path)} has ${Math.round(bytes / 1e6)} MB; expected a JSON file of at most ${Math.round(limit / 1e6)} MB.`;

export const emptyFile = (path: string): string => `${shown(path)} is empty; expected JSON.`;

export const binaryFile = (path: string): string => `${shown(path)} is a binary file; expected JSON.`;

export const notAModel = (path: string): string =>
  `${shown(path)} is no model; expected a model profile, a Hugging Face config.json, a folder with one, or a GGUF file.`;

export const folderWithoutModel = (path: string): string =>
  `the folder ${shown(path)} holds neither a config.json nor a GGUF file.`;

export const unknownPath = (path: string, nearest: string | undefined): string =>
  `--set: there is no field ${shown(path)}${nearest === undefined ? '' : `; nearest: ${nearest}`}.`;

export const notAFlag = (path: string, value: string): string =>
  `--set: ${path} is ${shown(value)}; expected true or false.`;

/** '--tp' as people type it. */
export const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

const orList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

function meant(word: string, known: readonly string[]): string {
  // One letter is near to every other.
  const near = word.replace(/^-+/, '').length < 2 ? undefined : nearestWord(word, known);
  return near === undefined ? '' : `, did you mean '${near}'`;
}

/** The known word with the fewest edits, where at most half of the word differs. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const folded = word.slice(0, 64).toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(folded, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(2, Math.floor(folded.length / 2)) ? best.candidate : undefined;
}

export const formatsDisagree = (format: string): string =>
  `--json and --format ${format} are given together; leave one of them out.`;

export const otherLoad = (path: string, load: string): string =>
  `--set: ${path} does not exist under a ${load} load; set workload.${load}, or give --${path.split('.')[1] ?? ''} instead.`;

export const needsOption = (path: string, option: string): string =>
  `--set: ${path} does not exist without ${dashed(option)}; give that too.`;

export const nothingListed = (kind: ProfileKind, words: readonly string[]): string =>
  `No ${nouns[kind]} has ${words.map(shown).join(' and ')} in its name, aliases or facts; 'twoclocks list ${kind}' shows all.`;

export const wrongKind = (kind: string, kinds: readonly string[]): string =>
  `there is no list of ${shown(kind)}; expected ${orList(kinds)}.`;

export const unknownAnywhere = (name: string, nearest: readonly string[]): string =>
  `no profile is named ${shown(name)}${nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`}.`;

export const unwritable = (path: string, reason: string): string => `${shown(path)} cannot be written: ${reason}.`;

export const noReceipt = (where: string): string =>
  `${where}: there is no receipt in it; expected an object with "schema": "twoclocks/receipt@1".`;

export const lostRelease = (where: string, engine: string, version: string): string =>
  `${where}: the catalogue's ${engine} has no release ${shown(version)} any more, and the receipt holds no profile of it.`;

export const changedInCatalogue = (part: string, name: string): string =>
  `the catalogue's ${part} profile ${name} has changed since the receipt was written.`;

export const editedInReceipt = (part: string, name: string): string =>
  `the receipt's own ${part} profile ${name} is not the one that it was written with.`;

export const identical = 'Identical to the receipt, to the last digit.';

export const differs = (figure: string, was: number | null, now: number | null): string =>
  `Differs: ${plainText(shortened(figure, 60))} was ${String(was)}, is ${String(now)}.`;

export const identicalRun = 'Simulated again: identical to the file, byte for byte.';

export const identicalValues = 'Simulated again: every value is the same; only the layout of the file differs.';

export const simulationDiffers = (path: string, was: unknown, now: unknown): string =>
  `Differs: ${plainText(shortened(path, 60))} was ${plainText(shortened(String(was), 60))}, is ${plainText(shortened(String(now), 60))}.`;

export const simulationStopped = (where: string): string =>
  `${where}: the run was stopped before its end; only whole runs can be computed again.`;

export const simulationTraceChanged = (where: string, path: string): string =>
  `${where}: the trace ${shown(path)} is not the one that was simulated; its content has changed.`;

export const outputLost = (reason: string): string => `the output cannot be written: ${reason}.`;

export const fault = (trace: string): string =>
  `this is a fault of the program, not of the input; please report it with what was typed: ${trace}`;

export const missingChange: string =
  "--change is missing; expected a lever such as 'hardware=h200'; 'twoclocks advise' tries all of them.";

export const missingClaim: string = 'there is no claim; expected --ttft, --tpot, --tokens-per-second or --throughput.';

export const missingTarget: string = 'there is no target; expected --ttft, --tpot or both.';

export const wrongLevers = (question: string, expected: string): string =>
  `'twoclocks breakeven ${question}' wants ${expected}.`;

export const unknownQuestion = (name: string, known: readonly string[]): string =>
  `'twoclocks breakeven' has no question ${shown(name)}${meant(name, known)}; expected ${orList(known)}.`;

export const unknownChart = (kind: string, kinds: readonly string[]): string =>
  `there is no chart ${shown(kind)}${meant(kind, kinds)}; expected ${orList(kinds)}.`;

export const missingChart = (kinds: readonly string[]): string =>
  `'twoclocks chart' wants a kind: ${orList(kinds)}; 'twoclocks chart --list' says what each shows.`;

export const needlessChartOption = (option: string, kind: string, kinds: readonly string[]): string =>
  `${dashed(option)} means nothing to the chart '${kind}'; it is for ${orList(kinds)}.`;

export const wrongTheme = (theme: string, themes: readonly string[]): string =>
  `--theme is ${shown(theme)}; expected ${orList(themes)}.`;

export const wrongChartFormat = (path: string, formats: readonly string[]): string =>
  `the format of ${shown(path)} is not known; expected a name that ends in ${orList(formats.map((format) => `.${format}`))}, or --format.`;

export const binaryToScreen: string = 'a PNG cannot be printed; expected --out with the name of a file.';

export const noMeasuredClock = (path: string): string =>
  `${shown(path)} holds no clock that can be predicted; expected rows with the metric ttft_ms, tpot_ms or e2e_ms.`;

export const calibratedIdeal =
  '--calibration and --ideal are given together; the ideal knows no calibration: leave one of them out.';

export const severalScenarios = (where: string, names: readonly string[]): string =>
  `${where} holds several scenarios; expected '#' and one of their names behind the path: ${names.join(', ')}.`;

export const identicalChart = 'Drawn again: identical to the file, byte for byte.';

export const chartDiffers = (byte: number): string => `Differs: drawn again, the file is another from byte ${byte} on.`;

export const missingReportFile: string = '--out is missing; expected the name of a file that ends in .md or .html.';

export const wrongReportFormat = (path: string): string =>
  `a report cannot be written as ${shown(path)}; expected a name that ends in .md or .html (for PDF, print the HTML page).`;

export const calibratedElsewhere = (fittedTo: string): string =>
  `the calibration was fitted to ${plainText(shortened(fittedTo, 120))}; its constants may not hold here.`;
