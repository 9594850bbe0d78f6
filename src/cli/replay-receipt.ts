import { estimate, type Estimate } from '../estimate.ts';
import { figuresOf } from '../present/receipt.ts';
import type { EngineRelease } from '../profile/engine.ts';
import type { Model } from '../profile/model.ts';
import { readEngine } from '../profile/read-engine.ts';
import { readHardware } from '../profile/read-hardware.ts';
import { readJson } from '../profile/read-json.ts';
import { readCalibration } from '../profile/read-calibration.ts';
import { readModel } from '../profile/read-model.ts';
import type { Scenario, Speculation } from '../profile/scenario.ts';
import type { Catalog } from './catalog.ts';
import { InputError } from './input-error.ts';
import { engineOfRelease } from './make-receipt.ts';
import { changedInCatalogue, editedInReceipt, lostRelease, noReceipt } from './messages.ts';
import { profileHash } from './profile-hash.ts';
import { type ProfilePart, profileParts } from './profile-part.ts';
import { type ReadReceipt, receiptSchema } from './receipt-schema.ts';

/** A figure that did not come out the same. */
interface Difference {
  readonly figure: string;
  readonly was: number | null;
  readonly now: number | null;
}

export interface Replay {
  readonly scenario: Scenario;
  readonly estimate: Estimate;
  readonly own: ReadonlySet<ProfilePart>;
  /** The first figure that differs, in the order of the receipt. */
  readonly difference?: Difference;
  /** Profiles that are not what they were, other versions of the program: one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Computes the result of a receipt again and compares every figure in it, and the same figures of the output that
 * carries it, to the last digit.
 * @throws InputError, ProfileError or CatalogError where the receipt cannot be understood.
 */
export async function replayReceipt(json: unknown, where: string, catalog: Catalog, tool: string): Promise<Replay> {
  const found = findReceipt(json, 0);
  if (found === undefined) throw new InputError(noReceipt(where));
  const receipt = readJson(receiptSchema, found, where);
  const { scenario, own, notes } = await scenarioOfReceipt(receipt, where, catalog);
  const result = estimate(scenario);
  const difference = firstDifference(receipt.figures, json, figuresOf(result));
  return {
    scenario,
    estimate: result,
    own,
    ...(difference === undefined ? {} : { difference }),
    notes: [
      ...notes,
      ...(receipt.tool === tool ? [] : [`the receipt is of twoclocks ${receipt.tool}, this is ${tool}.`]),
    ],
  };
}

/** A receipt, or the first one within an output that carries it. */
function findReceipt(json: unknown, depth: number): unknown {
  if (!isRecord(json) || depth > 6) return undefined;
  if (json['schema'] === 'twoclocks/receipt@1') return json;
  for (const inner of Object.values(json)) {
    const found = findReceipt(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The scenario that a receipt describes. @throws InputError, ProfileError or CatalogError. */
export async function scenarioOfReceipt(
  { scenario }: ReadReceipt,
  where: string,
  catalog: Catalog,
): Promise<Pick<Replay, 'scenario' | 'own' | 'notes'>> {
  const { parallelism, router, sampling, disaggregation, workload, grade, utilisation, precision, calibration } =
    scenario;
  const inside = (part: ProfilePart): string => `${where}: scenario.${part}.profile`;
  const model =
    scenario.model.profile === undefined
      ? await catalog.model(scenario.model.name)
      : readModel(scenario.model.profile, inside('model'));
  const hardware =
    scenario.hardware.profile === undefined
      ? await catalog.hardware(scenario.hardware.name)
      : readHardware(scenario.hardware.profile, inside('hardware'));
  const engine =
    scenario.engine.profile === undefined
      ? await catalog.engine(scenario.engine.name)
      : readEngine(scenario.engine.profile, inside('engine'));
  const release = engine.releases.find(({ version }) => version === scenario.engine.release);
  if (release === undefined) throw new InputError(lostRelease(where, engine.name, scenario.engine.release));
  const draft = await draftOf(scenario.speculation, inside('draft'), catalog);
  const { weights, activations, keyValue } = precision;
  const { compute, memory } = utilisation ?? {};
  const read: Scenario = {
    deployment: {
      model,
      hardware,
      engine,
      release: withAsked(release, scenario.engine.asked),
      precision: {
        ...(weights === undefined ? {} : { weights }),
        ...(activations === undefined ? {} : { activations }),
        ...(keyValue === undefined ? {} : { keyValue }),
      },
      parallelism,
      ...(scenario.speculation === undefined ? {} : { speculation: speculationOf(scenario.speculation, draft) }),
      ...(disaggregation === undefined ? {} : { disaggregation }),
      ...(router === undefined ? {} : { router }),
      ...(sampling === undefined ? {} : { sampling }),
      ...(utilisation === undefined
        ? {}
        : {
            utilisation: {
              ...(compute === undefined ? {} : { compute }),
              ...(memory === undefined ? {} : { memory }),
            },
          }),
      ...(calibration === undefined
        ? {}
        : { calibration: readCalibration(calibration, `${where}: scenario.calibration`) }),
    },
    workload,
    grade,
  };
  const parts = { model, hardware, engine: engineOfRelease(read.deployment), draft };
  return { scenario: read, ...comparedProfiles(scenario, parts) };
}

type ReadSpeculation = NonNullable<ReadReceipt['scenario']['speculation']>;

/** The model that drafts, where the receipt names one. */
async function draftOf(
  speculation: ReadSpeculation | undefined,
  inside: string,
  catalog: Catalog,
): Promise<Model | undefined> {
  const written = speculation?.draft;
  if (written === undefined) return undefined;
  return written.profile === undefined ? catalog.model(written.name) : readModel(written.profile, inside);
}

const speculationOf = (
  { method, tokens, acceptance, cost }: ReadSpeculation,
  draft: Model | undefined,
): Speculation => ({
  method,
  tokens,
  acceptance,
  ...(draft === undefined ? {} : { draft }),
  ...(cost === undefined ? {} : { cost }),
});

const withAsked = (release: EngineRelease, asked: ReadReceipt['scenario']['engine']['asked']): EngineRelease =>
  asked === undefined
    ? release
    : {
        ...release,
        asked: { version: asked.version, ...(asked.beyond === undefined ? {} : { beyond: asked.beyond }) },
      };

/** Which profiles the receipt holds itself, and which are no longer what they were. */
function comparedProfiles(
  scenario: ReadReceipt['scenario'],
  parts: Readonly<Record<ProfilePart, { readonly name: string } | undefined>>,
): Pick<Replay, 'own' | 'notes'> {
  const own = new Set<ProfilePart>();
  const notes: string[] = [];
  for (const part of profileParts) {
    const [written, read] = [part === 'draft' ? scenario.speculation?.draft : scenario[part], parts[part]];
    if (written === undefined || read === undefined) continue;
    const { name, hash, profile } = written;
    if (profile !== undefined) own.add(part);
    if (profileHash(read) === hash) continue;
    notes.push(profile === undefined ? changedInCatalogue(part, name) : editedInReceipt(part, name));
  }
  return { own, notes };
}

function firstDifference(
  receipt: ReadReceipt['figures'],
  carrier: unknown,
  now: Readonly<Record<string, number | null>>,
): Difference | undefined {
  for (const [figure, was] of Object.entries(receipt)) {
    const recomputed = Object.hasOwn(now, figure) ? (now[figure] ?? null) : undefined;
    if (recomputed !== was) return { figure, was, now: recomputed ?? null };
    const printed = printedAt(carrier, figure);
    if (printed !== undefined && printed !== was) return { figure, was: printed, now: recomputed };
  }
  return undefined;
}

/** The same figure in the output around the receipt; resource names have no dots, so a path splits cleanly. */
function printedAt(carrier: unknown, path: string): number | null | undefined {
  let value = carrier;
  for (const key of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return typeof value === 'number' || value === null ? value : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
