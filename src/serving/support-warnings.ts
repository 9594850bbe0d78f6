import { architectures } from '../profile/lint/architectures.ts';
import { deploymentPrecision } from '../profile/precision.ts';
import type { Deployment } from '../profile/scenario.ts';
import { formatFamily } from '../quantity/format-family.ts';

/** Combinations that the engine's own documents do not name, or name with a reservation. */
export const supportWarnings = (deployment: Deployment): readonly string[] => [
  ...platformWarnings(deployment),
  ...formatRemarks(deployment),
];

function platformWarnings({ engine, hardware }: Deployment): readonly string[] {
  const { platforms, title } = engine;
  // What an engine does on a family that nobody here has heard of, its documents cannot tell.
  const isKnown = architectures.some((known) => known === hardware.architecture);
  if (platforms === undefined || !isKnown) return [];
  const platform = platforms.find((each) => each.architectures.includes(hardware.architecture));
  if (platform === undefined) {
    const [first] = platforms;
    const source = first === undefined ? '' : ` (${first.citation.source}, read ${first.citation.date ?? 'undated'})`;
    return [
      `${title} is not known to run on ${hardware.title}; its documents name ${platforms.map(({ name }) => name).join(', ')}${source}. The figures are what such an engine would take if it did.`,
    ];
  }
  return platform.through === undefined
    ? []
    : [
        `${title} runs on ${hardware.title} only with ${platform.through}; its speed there may differ from what public kernels of ${title} reach.`,
      ];
}

function formatRemarks(deployment: Deployment): readonly string[] {
  const { engine } = deployment;
  const { attention, feedForward, experts } = deploymentPrecision(deployment);
  const names = [...new Set([attention.name, feedForward.name, experts.name])];
  return (engine.formats ?? []).flatMap(({ family, except = [], says }) => {
    const named = names.filter((name) => formatFamily(name) === family && !except.includes(name));
    return named.length === 0 ? [] : [`${named.join(', ')} weights: ${engine.title} ${says}.`];
  });
}
