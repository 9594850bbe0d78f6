import { supportWarnings } from './support-warnings.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import { type Deployment, deviceCount, type Grade } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { arithmeticFor } from '../roofline/arithmetic.ts';
import type { Efficiency } from '../roofline/efficiency.ts';
import type { StepTable } from '../roofline/step-table.ts';
import type { MemoryEstimate } from './memory-estimate.ts';
import type { Stability } from './open-loop.ts';

/** The load does not fit, or does not settle. */
export function loadWarnings(
  load: { readonly waiting: number; readonly running: number; readonly stability?: Stability },
  memory: MemoryEstimate,
): readonly string[] {
  const fit = memory.fits
    ? []
    : [
        `does not fit: each device is short of ${formatRounded(memory.shortBy, 'bytes')}; the clocks are what it would take if it did.`,
      ];
  const queue =
    load.waiting >= 1
      ? [
          `only ${Math.floor(load.running)} requests run at once (memory or engine limit): ${Math.round(load.waiting)} wait, and TTFT holds their wait.`,
        ]
      : [];
  const { stability } = load;
  const unstable =
    stability?.verdict === 'unstable'
      ? [
          `unstable: more requests arrive than leave; the queue grows without end. Largest stable rate about ${stability.largestRate.toPrecision(3)} requests/s. The clocks are those with every place taken.`,
        ]
      : [];
  return [...fit, ...queue, ...unstable];
}

/** Lengths that the model was not made for. */
export function workloadWarnings({ model }: Deployment, workload: Workload): readonly string[] {
  const needed = workload.prompt + workload.output;
  return model.contextLimit !== undefined && needed > model.contextLimit
    ? [`prompt + output is ${needed} tokens, more than the ${model.contextLimit} that ${model.title} was made for.`]
    : [];
}

/** What is unusual about a deployment, or weakly known: sentences for the person who reads the numbers. */
export function deploymentWarnings(
  deployment: Deployment,
  grade: Grade,
  table: StepTable,
  evidence: Efficiency['evidence'],
): readonly string[] {
  return [
    ...releaseWarnings(deployment),
    ...formatWarnings(deployment, table),
    ...linkWarnings(deployment),
    ...draftWarnings(deployment),
    ...samplerWarnings(deployment, grade),
    ...(grade === 'ideal' ? [] : [...supportWarnings(deployment), ...evidenceWarnings(deployment, evidence)]),
  ];
}

function releaseWarnings({ engine, release: { asked, version, since } }: Deployment): readonly string[] {
  if (asked?.beyond === undefined) return [];
  const [than, last] = asked.beyond === 'newer' ? ['newer', 'newest'] : ['older', 'oldest'];
  return [
    `${engine.title} ${asked.version} is ${than} than the ${last} release known (${version} of ${since}): the defaults of that one are used.`,
  ];
}

function samplerWarnings({ engine, release, sampling }: Deployment, grade: Grade): readonly string[] {
  return grade === 'ideal' || sampling === undefined || sampling === 'greedy' || release.sampler !== undefined
    ? []
    : [`What choosing tokens costs under ${engine.title} is not known: its sampler counts as the largest logit alone.`];
}

function formatWarnings({ hardware }: Deployment, table: StepTable): readonly string[] {
  const sentences = table.operators.flatMap(({ weights }) => {
    if (weights === undefined) return [];
    const { widenedFrom, format } = arithmeticFor(weights, hardware);
    return widenedFrom === undefined
      ? []
      : [
          `${hardware.title} has no ${widenedFrom} matrix unit: ${weights.name} weights save memory traffic and are multiplied in ${format}.`,
        ];
  });
  return [...new Set(sentences)];
}

/** vLLM refuses such a draft unless it is told to translate (`verify_equal_vocab_size_if_draft_model`, v0.27.0). */
function draftWarnings({ model, speculation }: Deployment): readonly string[] {
  const { draft } = speculation ?? {};
  return draft === undefined || draft.vocabulary === model.vocabulary
    ? []
    : [
        `${draft.title} drafts in a vocabulary of ${draft.vocabulary} tokens, ${model.title} has ${model.vocabulary}: engines take drafts of the model's own vocabulary, unless they are told to translate.`,
      ];
}

function linkWarnings({ hardware, parallelism, model }: Deployment): readonly string[] {
  const { tensor } = parallelism;
  const beyond =
    tensor > 1 && tensor > hardware.link.domain
      ? [
          hardware.link.topology === 'switch' || hardware.link.topology === 'mesh' || hardware.link.topology === 'torus'
            ? `tensor parallelism over ${tensor} devices leaves the ${hardware.link.domain} that ${hardware.link.kind} joins: it runs over the network.`
            : `${tensor} x ${hardware.title} have no common link of their own: tensor parallelism runs over ${hardware.host.kind}.`,
        ]
      : [];
  const heads = model.layers.flatMap(({ mixer }) => (mixer.kind === 'attention' ? [mixer.keyValueHeads] : []));
  const fewest = Math.min(...heads);
  const replicated =
    heads.length > 0 && tensor > fewest
      ? [
          `${model.title} has ${fewest} key-value heads: with ${tensor} tensor ranks each is stored ${tensor / fewest} times.`,
        ]
      : [];
  return [...beyond, ...replicated];
}

function evidenceWarnings(
  { hardware, parallelism, engine }: Deployment,
  evidence: Efficiency['evidence'],
): readonly string[] {
  const family =
    evidence === 'assumed'
      ? [
          `no operator timings of ${engine.title} on the ${hardware.architecture} family are public: efficiencies rest on end-to-end figures, and the band is wide.`,
        ]
      : [];
  const weak =
    hardware.confidence === 'low'
      ? [`the data sheet of ${hardware.title} is known with low confidence: ${unsure(hardware)}.`]
      : [];
  const many = deviceCount(parallelism) > 1024 ? ['more than 1024 devices: nothing this large was validated.'] : [];
  return [...family, ...weak, ...many];
}

const unsure = ({ uncited }: { readonly uncited: readonly string[] }): string =>
  uncited.length === 0 ? 'its sources disagree' : `no citable source for ${uncited.join(', ')}`;
