import type { Estimate } from '../estimate.ts';
import { figuresOf, type Receipt, type ReceiptProfile, type ReceiptSpeculation } from '../present/receipt.ts';
import { engineToFile } from '../profile/engine-to-file.ts';
import type { Engine } from '../profile/engine.ts';
import { hardwareToFile } from '../profile/hardware-to-file.ts';
import { modelToFile } from '../profile/model-to-json.ts';
import type { Deployment, Scenario, Speculation } from '../profile/scenario.ts';
import { profileHash } from './profile-hash.ts';
import type { ProfilePart } from './profile-part.ts';

/**
 * A receipt for a result.
 * @param own Parts whose profile the catalogue does not hold as it is: they go in whole.
 * @param figures What a replay compares; see `figuresOf` for those of an estimate.
 */
export function makeReceipt(
  { deployment, workload, grade }: Scenario,
  own: ReadonlySet<ProfilePart>,
  tool: string,
  figures: Receipt['figures'],
): Receipt {
  const { model, hardware, release, precision, parallelism, router, sampling } = deployment;
  const { speculation, disaggregation, utilisation, calibration } = deployment;
  const engine = engineOfRelease(deployment);
  const part = (name: ProfilePart, profile: { readonly name: string }, file: () => object): ReceiptProfile => ({
    name: profile.name,
    hash: profileHash(profile),
    ...(own.has(name) ? { profile: file() } : {}),
  });
  const drafting = ({ draft, ...said }: Speculation): ReceiptSpeculation => ({
    ...said,
    ...(draft === undefined ? {} : { draft: part('draft', draft, () => withoutAddress(modelToFile(draft))) }),
  });
  return {
    schema: 'twoclocks/receipt@1',
    tool,
    scenario: {
      model: part('model', model, () => withoutAddress(modelToFile(model))),
      hardware: part('hardware', hardware, () => hardwareToFile(hardware)),
      engine: {
        ...part('engine', engine, () => engineToFile(engine)),
        release: release.version,
        ...(release.asked === undefined ? {} : { asked: release.asked }),
      },
      precision,
      parallelism,
      ...(speculation === undefined ? {} : { speculation: drafting(speculation) }),
      ...(disaggregation === undefined ? {} : { disaggregation }),
      ...(router === undefined ? {} : { router }),
      ...(sampling === undefined ? {} : { sampling }),
      workload,
      grade,
      ...(utilisation === undefined ? {} : { utilisation }),
      ...(calibration === undefined ? {} : { calibration }),
    },
    figures,
  };
}

/** The receipt of one estimate. */
export const estimateReceipt = (
  scenario: Scenario,
  estimate: Estimate,
  own: ReadonlySet<ProfilePart>,
  tool: string,
): Receipt => makeReceipt(scenario, own, tool, figuresOf(estimate));

/** An engine with the one release that is used: a later release changes nothing about a result. */
export function engineOfRelease({ engine, release }: Deployment): Engine {
  const { asked: _, ...known } = release;
  return { ...engine, releases: [known] };
}

/** A schema's address relative to the profile folders leads nowhere from a receipt. */
function withoutAddress({ $schema: _address, ...file }: { readonly $schema?: string | undefined }): object {
  return file;
}
