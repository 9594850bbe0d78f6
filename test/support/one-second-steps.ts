import type { EngineRelease } from '../../src/profile/engine.ts';
import type { Parallelism } from '../../src/profile/scenario.ts';
import { singleDevice } from '../../src/profile/scenario.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import { toyRelease } from './toy-parts.ts';
import { toyDeployment } from './toy.ts';

/** The toy deployment where every step takes one second of its engine and nothing else, so that clocks count steps. */
export function oneSecondSteps(
  release: EngineRelease = toyRelease(),
  parallelism: Parallelism = singleDevice,
): CompiledDeployment {
  const compiled = compile(toyDeployment({ release, parallelism }), 'typical');
  const { table } = compiled;
  return {
    ...compiled,
    table: { ...table, slotSeconds: table.slotSeconds.map(() => 0), floors: table.floors.map(() => 0), perStep: 1 },
  };
}
