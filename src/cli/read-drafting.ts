import type { Speculation } from '../profile/scenario.ts';
import type { Catalog } from './catalog.ts';
import type { Given } from './command.ts';
import { InputError } from './input-error.ts';
import { type Loaded, loadModel } from './load-profile.ts';
import { acceptanceOutside } from './messages.ts';
import type { Model } from '../profile/model.ts';

/** Drafted tokens of `--speculation`, and the model that drafts them where one is named. */
export interface Drafting {
  readonly speculation?: Speculation;
  readonly draft?: Loaded<Model>;
}

/**
 * What `--speculation` says; its reader comes only where it is given.
 * @throws InputError, LeverError, or the errors of loading the model that drafts.
 */
export async function readDrafting({ text }: Given, catalog: Catalog): Promise<Drafting> {
  const written = text['speculation'];
  if (written === undefined) return {};
  const { parseSpeculation } = await import('../whatif/read-speculation.ts');
  let draft: Loaded<Model> | undefined;
  const load = async (name: string): Promise<Model> => {
    draft = await loadModel(name, catalog);
    return draft.profile;
  };
  const speculation = await parseSpeculation(written, load, '--speculation');
  if (speculation === undefined) return {};
  if (speculation.acceptance > 1) throw new InputError(acceptanceOutside(speculation.acceptance));
  return { speculation, ...(draft === undefined ? {} : { draft }) };
}
