import { describe, expect, it } from 'vitest';
import { largestLogit, logitWork, samplingOperators } from '../../src/operator/sampling.ts';
import type { EngineRelease } from '../../src/profile/engine.ts';
import { samplingOf } from '../../src/profile/sampling.ts';
import type { Deployment } from '../../src/profile/scenario.ts';
import { estimate } from '../../src/estimate.ts';
import { counted } from '../support/counted.ts';
import { toyDeployment, toyModel, toyScenario } from '../support/toy.ts';

// Vocabulary 1000: 10 bytes a logit for the largest are 10,000 bytes a row; a draw of 30 more 40,000; a filter of 500
// another 500,000 on the side.

const sampler = {
  readsCheckpoint: true,
  draw: { bytesPerLogit: 30, kernels: 5 },
  filter: { bytesPerLogit: 500, kernels: 20 },
  citations: [],
};
const plain = toyDeployment();
const release: EngineRelease = { ...plain.release, sampler };
const citation = { source: 'a file' };

const deployed = (changes: Partial<Deployment>): Deployment => toyDeployment({ release, ...changes });

const bytes = (deployment: Deployment): readonly (readonly [string, number, unknown])[] =>
  samplingOperators(deployment.model.vocabulary, logitWork(deployment)).map((operator) => [
    operator.name,
    operator.count,
    counted([operator])['rows']?.activationBytes,
  ]);

describe('choosing a token', () => {
  it('reads the largest logit, draws from all, or filters before it draws', () => {
    expect(bytes(deployed({ sampling: 'greedy' }))).toEqual([['sampling', 4, 10_000]]);
    expect(bytes(deployed({ sampling: 'temperature' }))).toEqual([['sampling', 9, 40_000]]);
    expect(bytes(deployed({ sampling: 'top-p' }))).toEqual([
      ['sampling', 9, 40_000],
      ['top-p and top-k', 20, 500_000],
    ]);
  });

  it('counts the largest logit alone where the costs of a sampler are not known', () => {
    const unknown = toyDeployment({ sampling: 'top-p' });
    expect(logitWork(unknown)).toEqual({ choice: largestLogit });
    const said = (deployment: Deployment): boolean =>
      estimate(toyScenario({ deployment, grade: 'typical' })).warnings.some((each) => each.startsWith('What choosing'));
    expect([unknown, toyDeployment({ sampling: 'greedy' }), toyDeployment()].map(said)).toEqual([true, false, false]);
  });

  it.each([
    [undefined, 'temperature'],
    [{ citation }, 'temperature'],
    [{ topP: 1, topK: 0, citation }, 'temperature'],
    [{ topP: 0.9, citation }, 'top-p'],
    [{ topK: 20, citation }, 'top-p'],
  ] as const)('follows the checkpoint that says %j', (generation, sampling) => {
    const model = generation === undefined ? toyModel : { ...toyModel, generation };
    expect(samplingOf(deployed({ model }))).toBe(sampling);
    const deaf = { ...release, sampler: { ...sampler, readsCheckpoint: false } };
    expect(samplingOf(deployed({ model, release: deaf }))).toBe('temperature');
    expect(samplingOf(deployed({ model, sampling: 'greedy' }))).toBe('greedy');
  });

  it('takes longer the more it does, and nothing of the ideal', () => {
    const seconds = (sampling: Deployment['sampling'], grade: 'typical' | 'ideal'): number =>
      estimate(toyScenario({ deployment: deployed(sampling === undefined ? {} : { sampling }), grade })).tpot.seconds;
    expect(seconds('temperature', 'typical')).toBeGreaterThan(seconds('greedy', 'typical'));
    expect(seconds('top-p', 'typical')).toBeGreaterThan(seconds('temperature', 'typical'));
    expect(seconds('top-p', 'ideal')).toBe(seconds('greedy', 'ideal'));
  });
});
