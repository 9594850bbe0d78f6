import type { Engine, EngineRelease } from '../../profile/engine.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { type Lever, lever } from '../lever.ts';
import { noGraphsToTurn } from '../messages.ts';
import { slots } from '../slot.ts';

/** Another engine, or another release of the same. */
export const engineLever = (engine: Engine, release: EngineRelease): Lever =>
  lever({
    kind: 'engine',
    text: `engine=${engine.name}@${release.version}`,
    label: `${engine.title} ${release.version}`,
    writes: [slots.engine],
    change: (scenario) => ({ ...scenario, deployment: { ...scenario.deployment, engine, release } }),
  });

/**
 * Host time to launch one operator where no graph replays them, seconds: what the eager engine's profile holds
 * (reference: QwenLM speed benchmark with transformers 4.46, engine-profiles/transformers.json, is 90 us with Python in
 * between; a compiled engine launches through a thin layer in about a tenth of that, engine-profiles/llama.cpp.json b1).
 */
const launchWithoutGraphs = { eager: 90e-6, compiled: 8e-6 } as const;

/** CUDA graphs (or their kin) on or off: whether the host launches each operator of a step by itself. */
export function graphsLever(on: boolean): Lever {
  return lever({
    kind: 'graphs',
    text: `graphs=${on ? 'on' : 'off'}`,
    label: on ? 'graphs' : 'no graphs',
    writes: [slots.graphs],
    refusal: ({ deployment }) =>
      deployment.engine.kernels === 'none' ? noGraphsToTurn(deployment.engine.title) : undefined,
    change: (scenario) => {
      const { release, engine } = scenario.deployment;
      const already = release.scheduling.graphs === on;
      const without = engine.kernels === 'eager' ? launchWithoutGraphs.eager : launchWithoutGraphs.compiled;
      const launch = on ? 0 : Math.max(release.overhead.launch, without);
      return already
        ? scenario
        : withRelease(scenario, {
            ...release,
            scheduling: { ...release.scheduling, graphs: on },
            overhead: { ...release.overhead, launch },
          });
    },
  });
}

/** So many tokens in a step: how long a prompt's chunks are, and how long they hold the decoding requests up. */
export const tokenBudgetLever = (tokens: number): Lever =>
  lever({
    kind: 'token-budget',
    text: `budget=${tokens}`,
    label: `token budget ${tokens}`,
    writes: [slots.tokenBudget],
    change: (scenario) => {
      const { release } = scenario.deployment;
      const tokenBudget = [{ memory: 0, except: [], value: tokens }];
      return withRelease(scenario, { ...release, scheduling: { ...release.scheduling, tokenBudget } });
    },
  });

/** So many sequences at once at most. */
export const sequencesLever = (sequences: number): Lever =>
  lever({
    kind: 'token-budget',
    text: `sequences=${sequences}`,
    label: `at most ${sequences} sequences`,
    writes: [slots.maxSequences],
    change: (scenario) => {
      const { release } = scenario.deployment;
      const maxSequences = [{ memory: 0, except: [], value: sequences }];
      return withRelease(scenario, { ...release, scheduling: { ...release.scheduling, maxSequences } });
    },
  });

const withRelease = (scenario: Scenario, release: EngineRelease): Scenario => ({
  ...scenario,
  deployment: { ...scenario.deployment, release },
});
