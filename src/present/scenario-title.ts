import type { Engine, EngineRelease } from '../profile/engine.ts';
import { deploymentPrecision } from '../profile/precision.ts';
import { samplingOf } from '../profile/sampling.ts';
import {
  type Deployment,
  deviceCount,
  type Disaggregation,
  type Scenario,
  type Speculation,
} from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { digits, grouped, percent } from './clock-time.ts';
import { plainText, shortened } from './plain-text.ts';

/** What is deployed in one line: 'Llama 3.1 70B on 4 x NVIDIA H100 SXM5 80GB (TP 4), vLLM 0.27.0, bf16'. */
export function deploymentTitle(deployment: Deployment): string {
  const { model, hardware, engine, release, parallelism, router, sampling, speculation, disaggregation } = deployment;
  const { attention, experts, activations, keyValue } = deploymentPrecision(deployment);
  const hasExperts = model.layers.some(({ feedForward }) => feedForward.kind === 'experts');
  const weights =
    hasExperts && experts.name !== attention.name ? `${experts.name} experts, ${attention.name}` : attention.name;
  const formats = [
    `${weights} weights`,
    ...(activations === attention.name ? [] : [`${activations} activations`]),
    ...(keyValue.name === activations ? [] : [`${keyValue.name} KV`]),
  ];
  const spread = [
    ...(parallelism.tensor > 1 ? [`TP ${parallelism.tensor}`] : []),
    ...(parallelism.pipeline > 1 ? [`PP ${parallelism.pipeline}`] : []),
    ...(parallelism.data > 1 ? [`DP ${parallelism.data}`] : []),
    ...(parallelism.expert > 1 ? [`EP ${parallelism.expert}`] : []),
    ...(disaggregation === undefined
      ? parallelism.replicas > 1
        ? [`${parallelism.replicas} replicas`]
        : []
      : [poolsTitle(disaggregation)]),
    ...(router === undefined || parallelism.replicas * parallelism.data === 1 ? [] : [`${router} router`]),
  ];
  const devices = deviceCount(parallelism);
  const where = `${devices === 1 ? '' : `${devices} x `}${hardware.title}${spread.length === 0 ? '' : ` (${spread.join(', ')})`}`;
  const served = engine.kernels === 'none' ? [] : [releaseTitle(engine, release)];
  const drafted = speculation === undefined ? [] : [speculationTitle(speculation)];
  const chosen = sampling === undefined || release.sampler === undefined ? [] : [samplingWords[sampling]];
  return plainText(
    [`${shortened(model.title, 60)} on ${where}`, ...served, formats.join(', '), ...drafted, ...chosen].join(', '),
  );
}

/** What requests do that nobody said anything of: the checkpoint's word, where the engine takes it. */
export function samplingSentence({ deployment, grade }: Scenario): string | undefined {
  const { model, engine, release, sampling } = deployment;
  if (grade === 'ideal' || sampling !== undefined || samplingOf(deployment) !== 'top-p') return undefined;
  const { topP = 1, topK = 0 } = model.generation ?? {};
  const kept = [...(topP < 1 ? [`top-p ${topP}`] : []), ...(topK > 0 ? [`top-k ${topK}`] : [])].join(' and ');
  return `Sampling: ${kept}, as the checkpoint says and ${releaseTitle(engine, release)} reads; --sampling greedy or temperature for requests that say otherwise.`;
}

const samplingWords = { greedy: 'greedy', temperature: 'drawn from all tokens', 'top-p': 'top-p or top-k' } as const;

/** '3 prefill + 5 decode groups over the network'. */
const poolsTitle = ({ prefill, decode, link }: Disaggregation): string =>
  `${prefill} prefill + ${decode} decode groups over ${typeof link === 'object' ? shortened(link.name, 30) : linkWords[link]}`;

const linkWords = { own: 'their own link', host: 'the host link', network: 'the network' } as const;

/** 'EAGLE drafting 3 tokens, acceptance 70 %'. */
function speculationTitle({ method, tokens, acceptance, draft }: Speculation): string {
  const who = draft === undefined ? methodWords[method] : shortened(draft.title, 60);
  return `${who} drafting ${tokens} ${tokens === 1 ? 'token' : 'tokens'}, acceptance ${percent(acceptance)}`;
}

const methodWords = {
  eagle: 'EAGLE',
  mtp: 'multi-token prediction',
  draft: 'a draft model',
  ngram: 'n-gram lookup',
} as const;

/** 'vLLM 0.27.0'; where that version is not known, with the release whose rules are used: 'vLLM 99 (as 0.27.0)'. */
export const releaseTitle = ({ title }: Engine, { version, asked }: EngineRelease): string =>
  asked === undefined ? `${title} ${version}` : `${title} ${shortened(asked.version, 20)} (as ${version})`;

/** Lengths and load in one line: 'prompt 2,000 tokens, output 500, 16 requests in flight'. */
export function workloadTitle({ prompt, output, cached, load }: Workload): string {
  const hit = cached === 0 ? '' : ` (${grouped(cached)} of them cached)`;
  return `prompt ${grouped(prompt)} tokens${hit}, output ${grouped(output)}, ${loadWords(load)}`;
}

function loadWords(load: Workload['load']): string {
  switch (load.kind) {
    case 'batch':
      return load.size === 1 ? 'one request alone' : `a batch of ${grouped(load.size)} that starts together`;
    case 'concurrency':
      return load.size === 1 ? 'one request at a time' : `${grouped(load.size)} requests in flight`;
    case 'rate':
      return `${digits(load.requestsPerSecond)} requests/s`;
  }
}

/** What a prediction rests on, in words. */
export function gradeWords({ grade, deployment }: Scenario, evidence: string): string {
  if (grade === 'ideal') {
    const { utilisation } = deployment;
    const shares = [
      ...(utilisation?.compute === undefined ? [] : [`${percent(utilisation.compute)} of peak FLOP/s`]),
      ...(utilisation?.memory === undefined ? [] : [`${percent(utilisation.memory)} of peak bandwidth`]),
    ];
    return shares.length === 0
      ? 'ideal: textbook roofline, every efficiency 1, no overhead; a lower bound'
      : `ideal with ${shares.join(' and ')}: textbook roofline, no overhead`;
  }
  if (grade === 'calibrated') return 'calibrated: fitted to your own measurements';
  return `typical: public efficiency curves and engine constants (device family ${evidence})`;
}
