import { releaseFor } from '../profile/find-release.ts';
import type { Engine, EngineRelease } from '../profile/engine.ts';
import type { Model } from '../profile/model.ts';
import type { Sampling } from '../profile/sampling.ts';
import {
  type Disaggregation,
  type Grade,
  type Parallelism,
  type PrecisionChoice,
  type Router,
  type Scenario,
  singleDevice,
  type Speculation,
} from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { bundledEngine, bundledHardware, bundledModel, findBundled } from './bundled.ts';
import { CatalogError } from './catalog-error.ts';
import { checkWords } from './check-words.ts';
import type { ProfileKind } from './catalog-entry.ts';
import { ambiguousName, noRelease, unknownName } from './messages.ts';

/** A scenario in the words people use; what is left out has the default named. */
export interface ScenarioWords {
  /** Name of a model, e.g. `llama-3.1-70b` or `meta-llama/Llama-3.1-70B-Instruct`. */
  readonly model: string;
  /** Name of a device, e.g. `h100` or `rtx-4090`. */
  readonly hardware: string;
  /** `vllm`. */
  readonly engine?: string;
  /** The newest release known. */
  readonly engineVersion?: string;
  /** One device. */
  readonly parallelism?: Partial<Parallelism>;
  /** `least-loaded`: how requests at an arrival rate find their replica. */
  readonly router?: Router;
  /** As the checkpoint and the engine have it. */
  readonly sampling?: Sampling;
  /** The checkpoint's own formats. */
  readonly precision?: PrecisionChoice;
  /** One token a step; `draft` is the name of a model. */
  readonly speculation?: Omit<Speculation, 'draft'> & { readonly draft?: string };
  /** Every group does both phases; with pools, `replicas` is the number of their groups. */
  readonly disaggregation?: Disaggregation;
  /** Tokens. */
  readonly prompt: number;
  /** Tokens, the first included. */
  readonly output: number;
  /** 0 tokens. */
  readonly cached?: number;
  /** One request at a time. */
  readonly load?: Load;
  /** `typical`. */
  readonly grade?: Grade;
}

/**
 * Builds a scenario from bundled profiles.
 * @throws CatalogError with one sentence and the nearest names where a field or a name is unknown or ambiguous.
 */
export async function scenarioOf(words: ScenarioWords): Promise<Scenario> {
  checkWords(words);
  const { speculation, disaggregation } = words;
  const [model, hardware, engine, draft] = await Promise.all([
    nameOf('models', words.model).then((name) => bundledModel(name)),
    nameOf('hardware', words.hardware).then((name) => bundledHardware(name)),
    nameOf('engines', words.engine ?? 'vllm').then((name) => bundledEngine(name)),
    speculation?.draft === undefined
      ? undefined
      : nameOf('models', speculation.draft).then((name) => bundledModel(name)),
  ]);
  const groups = disaggregation === undefined ? {} : { replicas: disaggregation.prefill + disaggregation.decode };
  return {
    deployment: {
      model,
      hardware,
      engine,
      release: releaseOf(engine, words.engineVersion),
      precision: words.precision ?? {},
      parallelism: { ...singleDevice, ...groups, ...words.parallelism },
      ...(speculation === undefined ? {} : { speculation: drafted(speculation, draft) }),
      ...(disaggregation === undefined ? {} : { disaggregation }),
      ...(words.router === undefined ? {} : { router: words.router }),
      ...(words.sampling === undefined ? {} : { sampling: words.sampling }),
    },
    workload: {
      prompt: words.prompt,
      output: words.output,
      cached: words.cached ?? 0,
      load: words.load ?? { kind: 'concurrency', size: 1 },
    },
    grade: words.grade ?? 'typical',
  };
}

function drafted(words: NonNullable<ScenarioWords['speculation']>, draft: Model | undefined): Speculation {
  const { draft: _, ...plain } = words;
  return draft === undefined ? plain : { ...plain, draft };
}

async function nameOf(kind: ProfileKind, text: string): Promise<string> {
  const resolution = await findBundled(kind, text);
  switch (resolution.kind) {
    case 'found':
      return resolution.name;
    case 'ambiguous':
      throw new CatalogError(ambiguousName(kind, text, resolution.candidates, resolution.more));
    case 'unknown':
      throw new CatalogError(unknownName(kind, text, resolution.nearest));
  }
}

function releaseOf(engine: Engine, version: string | undefined): EngineRelease {
  const release = version === undefined ? engine.releases.at(-1) : releaseFor(engine, version);
  if (release !== undefined) return release;
  throw new CatalogError(
    noRelease(
      engine.name,
      version ?? '',
      engine.releases.map((each) => each.version),
    ),
  );
}
