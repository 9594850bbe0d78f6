import { basename } from 'node:path';
import type { Calibration } from '../profile/calibration.ts';
import { samplings } from '../profile/sampling.ts';
import { unknownRouter, unknownSampling } from '../profile/scenario-messages.ts';
import { type PrecisionChoice, routers, type Scenario } from '../profile/scenario.ts';
import type { Load, Workload } from '../profile/workload.ts';
import type { Catalog } from './catalog.ts';
import type { Given } from './command.ts';
import { InputError } from './input-error.ts';
import { loadEngine, loadHardware, loadModel } from './load-profile.ts';
import * as message from './messages.ts';
import { type ProfilePart, profileParts } from './profile-part.ts';
import { readDrafting } from './read-drafting.ts';
import { readCached, readCount, readPositive } from './read-number.ts';
import { readParallelism, readPools } from './read-spread.ts';

/** A scenario as the options describe it, and what is worth saying about how they were read. */
export interface ReadScenario {
  readonly scenario: Scenario;
  /** Profiles that the catalogue does not hold as they are: they go into the receipt whole. */
  readonly own: ReadonlySet<ProfilePart>;
  readonly notes: readonly string[];
}

/** What holds where nobody says otherwise; a prompt and an answer of everyday length. */
const defaults = { engine: 'vllm', prompt: 1000, output: 250 } as const;

/**
 * Options into a scenario.
 * @throws InputError, or an error of the area concerned, with one sentence.
 */
export async function readScenario(typed: Given, catalog: Catalog): Promise<ReadScenario> {
  const given =
    typed.text['scenario'] === undefined
      ? typed
      : await import('./scenario-file.ts').then(({ withScenarioFile }) => withScenarioFile(typed));
  const { text } = given;
  if (text['model'] === undefined)
    throw new InputError(message.missingOption('model', "a name such as 'llama-3.1-70b' or a path"));
  if (text['hardware'] === undefined)
    throw new InputError(message.missingOption('hardware', "a name such as 'h100-sxm5-80gb' or a path"));
  const workload = readWorkload(given);
  const disaggregation = await readPools(given);
  const parallelism = readParallelism(given, disaggregation);
  const router = readWord(text['router'], routers, unknownRouter);
  const sampling = readWord(text['sampling'], samplings, unknownSampling);
  const utilisation = readUtilisation(given);
  const calibration = await calibrationOf(given);
  const [model, hardware, engine, { speculation, draft }] = await Promise.all([
    loadModel(text['model'], catalog),
    loadHardware(text['hardware'], catalog),
    loadEngine(text['engine'] ?? defaults.engine, catalog),
    readDrafting(given, catalog),
  ]);
  const loaded = { model, hardware, engine, draft };
  const scenario: Scenario = {
    deployment: {
      model: model.profile,
      hardware: hardware.profile,
      engine: engine.profile,
      release: engine.release,
      precision: readPrecision(given),
      parallelism,
      ...(speculation === undefined ? {} : { speculation }),
      ...(disaggregation === undefined ? {} : { disaggregation }),
      ...(router === undefined ? {} : { router }),
      ...(sampling === undefined ? {} : { sampling }),
      ...(utilisation === undefined ? {} : { utilisation }),
      ...(calibration === undefined ? {} : { calibration }),
    },
    workload,
    grade: given.flags.has('ideal') ? 'ideal' : calibration === undefined ? 'typical' : 'calibrated',
  };
  const own = new Set(profileParts.filter((part) => loaded[part]?.path !== undefined));
  const notes = [
    ...model.notes,
    ...hardware.notes,
    ...engine.notes,
    ...(draft?.notes ?? []),
    ...elsewhere(calibration, hardware.profile.name, engine.profile.name),
  ];
  const assignments = given.lists['set'] ?? [];
  if (assignments.length === 0) return { scenario, own, notes };
  const { applySettings } = await import('./apply-settings.ts');
  const changed = applySettings(scenario, assignments);
  return {
    scenario: changed.scenario,
    own: new Set([...own, ...changed.parts]),
    notes: [...notes, ...changed.notes],
  };
}

function readWorkload({ text }: Given): Workload {
  const count = (name: string, otherwise: number): number => {
    const written = text[name];
    return written === undefined ? otherwise : readCount(name, written);
  };
  const prompt = count('prompt', defaults.prompt);
  return {
    prompt,
    output: count('output', defaults.output),
    cached: text['cached'] === undefined ? 0 : readCached(text['cached'], prompt),
    load: readLoad(text),
  };
}

function readLoad(text: Given['text']): Load {
  const given = (['batch', 'concurrency', 'rate'] as const).filter((name) => text[name] !== undefined);
  if (given.length > 1) throw new InputError(message.severalLoads(given));
  const { batch, concurrency, rate } = text;
  if (batch !== undefined) return { kind: 'batch', size: readCount('batch', batch) };
  if (rate !== undefined) {
    return { kind: 'rate', requestsPerSecond: readPositive('rate', rate, 'requests per second such as 4 or 0.5') };
  }
  return { kind: 'concurrency', size: concurrency === undefined ? 1 : readCount('concurrency', concurrency) };
}

/** One of several words. Those of the command line are checked as its choices are; a scenario file may hold anything. */
function readWord<T extends string>(
  word: string | undefined,
  words: readonly T[],
  unknown: (word: string) => string,
): T | undefined {
  if (word === undefined) return undefined;
  const known = words.find((each) => each === word);
  if (known === undefined) throw new InputError(unknown(word));
  return known;
}

function readPrecision({ text }: Given): PrecisionChoice {
  const { weights, activations, kv } = text;
  return {
    ...(weights === undefined ? {} : { weights }),
    ...(activations === undefined ? {} : { activations }),
    ...(kv === undefined ? {} : { keyValue: kv }),
  };
}

/** An overlay holds where its rows were measured. */
const elsewhere = (calibration: Calibration | undefined, hardware: string, engine: string): readonly string[] =>
  calibration === undefined || (calibration.hardware === hardware && calibration.engine === engine)
    ? []
    : [message.calibratedElsewhere(calibration.fittedTo)];

/** The overlay of `--calibration`; the ideal takes no notice of one, so that both together are a mistake. */
async function calibrationOf({ text, flags }: Given): Promise<Calibration | undefined> {
  const path = text['calibration'];
  if (path === undefined) return undefined;
  if (flags.has('ideal')) throw new InputError(message.calibratedIdeal);
  const [{ jsonFile }, { readCalibration }] = await Promise.all([
    import('./profile-files.ts'),
    import('../profile/read-calibration.ts'),
  ]);
  return readCalibration(jsonFile(path), basename(path));
}

function readUtilisation({ text, flags }: Given): { readonly compute?: number; readonly memory?: number } | undefined {
  const share = (name: string): number | undefined => {
    const written = text[name];
    if (written === undefined) return undefined;
    if (!flags.has('ideal')) throw new InputError(message.needsIdeal(name));
    return readPositive(name, written, 'a share above 0 and up to 1 such as 0.6 or 60 %');
  };
  const both = share('utilisation');
  const compute = share('compute-utilisation') ?? both;
  const memory = share('memory-utilisation') ?? both;
  if (compute === undefined && memory === undefined) return undefined;
  return { ...(compute === undefined ? {} : { compute }), ...(memory === undefined ? {} : { memory }) };
}
