import type { Citation } from '../profile/citation.ts';
import type { Engine, EngineRelease } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { FeedForward, Generation, LayerGroup, Mixer, Model } from '../profile/model.ts';
import type { Dimension } from '../quantity/dimension.ts';
import { formatFamilyWords } from '../quantity/format-family.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import { matrixFormats } from '../quantity/matrix-format.ts';
import { alignColumns } from './align-columns.ts';
import { grouped } from './clock-time.ts';
import { modelFacts } from './model-facts.ts';
import { plainText } from './plain-text.ts';
import { wrapText } from './wrap-text.ts';

export type ShownProfile =
  | { readonly kind: 'hardware'; readonly profile: Hardware }
  | { readonly kind: 'models'; readonly profile: Model }
  | { readonly kind: 'engines'; readonly profile: Engine };

type Row = readonly [string, string];
const width = 100;

/** A profile for reading: every value with its unit, then notes and sources with their dates. */
export function profileText({ kind, profile }: ShownProfile): string {
  const rows =
    kind === 'hardware' ? hardwareRows(profile) : kind === 'models' ? modelRows(profile) : engineRows(profile);
  const { title, name, aliases, notes, sources } = profile;
  const lines = [
    `${title} (${name})`,
    ...(aliases.length === 0 ? [] : wrapText(`also ${aliases.join(', ')}`, width, 2)),
    '',
    ...alignColumns(rows.map(([label, value]) => [label, value])),
    ...(notes === '' ? [] : ['', ...wrapText(notes, width)]),
    ...(sources.length === 0 ? [] : ['', 'Sources', ...sources.flatMap(sourceLines)]),
  ];
  return `${lines.map(plainText).join('\n')}\n`;
}

const sourceLines = ({ source, date, note }: Citation): readonly string[] =>
  wrapText(`- ${source}${date === undefined ? '' : `, ${date}`}${note === undefined ? '' : `: ${note}`}`, width, 2);

const row = (label: string, value: number | undefined, dimension: Dimension, remark = ''): readonly Row[] =>
  value === undefined ? [] : [[label, `${formatRounded(value, dimension, 4)}${remark}`]];

function hardwareRows(hardware: Hardware): readonly Row[] {
  const { memory, matrix, matrixFp16Accumulate, vectorFp32, link, host, network, power, units, cache } = hardware;
  return [
    ['vendor', `${hardware.vendor}, ${hardware.architecture}, ${hardware.released}, ${hardware.formFactor}`],
    ...row('memory', memory.capacity, 'bytes', ` ${memory.kind}${memory.unified ? ', shared with the CPU' : ''}`),
    ...row('reported by driver', memory.reported, 'bytes'),
    ...row('memory bandwidth', memory.bandwidth, 'bandwidth'),
    ...matrixFormats.flatMap((format) => row(`${format} dense`, matrix[format], 'flop-rate')),
    ...matrixFormats.flatMap((format) =>
      row(
        `${format} dense, FP16 sums`,
        matrixFp16Accumulate[format],
        'flop-rate',
        ' (not used by kernels that need FP32 sums)',
      ),
    ),
    ...row('fp32 shader', vectorFp32, 'flop-rate'),
    [
      'link',
      link.topology === 'none'
        ? 'none of its own'
        : `${link.kind}, ${formatRounded(link.bandwidth, 'bandwidth')} per direction, ${link.domain} devices (${link.topology})`,
    ],
    [
      'host',
      host.bandwidth === 0 ? host.kind : `${host.kind}, ${formatRounded(host.bandwidth, 'bandwidth')} per direction`,
    ],
    ...row('network', network?.bandwidth, 'bandwidth', ' per direction'),
    ...row('power limit', power.limit, 'power'),
    ...(units.count === undefined ? [] : [['units', `${units.count} ${units.kind}`] as const]),
    ...row('boost clock', units.boostClock, 'frequency'),
    ...row('last-level cache', cache.lastLevel, 'bytes'),
    ['confidence', hardware.confidence],
    ...(hardware.uncited.length === 0 ? [] : [['without a source', hardware.uncited.join(', ')] as const]),
  ];
}

function modelRows(model: Model): readonly Row[] {
  const { parameters, keyValueBytesPerToken, stateBytes } = modelFacts(model);
  const { checkpoint, fp8Checkpoint, generation, published, extras } = model;
  const formats = Object.entries(checkpoint).map(([part, format]) => `${part} ${String(format)}`);
  return [
    ['family', model.family],
    ['parameters', `${grouped(parameters.total)} in all, ${grouped(parameters.active)} active per token`],
    ...(published?.total === undefined
      ? []
      : [
          [
            'published',
            `${grouped(published.total)} (${published.scope}, ${toleranceWords(published.tolerance)})`,
          ] as const,
        ]),
    ...(extras.mtpParameters === 0 ? [] : [['prediction layers', grouped(extras.mtpParameters)] as const]),
    ...(extras.towerParameters === 0 ? [] : [['towers', grouped(extras.towerParameters)] as const]),
    ['KV per token', `${formatRounded(keyValueBytesPerToken, 'bytes')} in 16 bits`],
    ...(stateBytes === 0 ? [] : [['state per sequence', formatRounded(stateBytes, 'bytes')] as const]),
    ['hidden size', grouped(model.hiddenSize)],
    ['vocabulary', `${grouped(model.vocabulary)}${model.embedding.tied ? ', head shares the table' : ''}`],
    ...(model.contextLimit === undefined ? [] : [['context', `${grouped(model.contextLimit)} tokens`] as const]),
    ...model.layers.map((group, index) => [index === 0 ? 'layers' : '', layerWords(group)] as const),
    ['checkpoint', formats.join(', ')],
    ...(fp8Checkpoint === undefined ? [] : [['FP8 checkpoint', fp8Checkpoint] as const]),
    ...(generation === undefined ? [] : [['sampling', generationWords(generation)] as const]),
  ];
}

function generationWords({ topP = 1, topK = 0 }: Generation): string {
  const kept = [...(topP < 1 ? [`top-p ${topP}`] : []), ...(topK > 0 ? [`top-k ${topK}`] : [])];
  return kept.length === 0 ? 'from all tokens' : kept.join(', ');
}

const toleranceWords = (tolerance: 'exact' | number): string =>
  tolerance === 'exact' ? 'equal to the last digit' : `within ${tolerance * 100} %`;

const layerWords = ({ count, mixer, feedForward }: LayerGroup): string =>
  `${count} x ${[mixerWords(mixer), feedForwardWords(feedForward)].filter((words) => words !== '').join(', ')}`;

function mixerWords(mixer: Mixer): string {
  switch (mixer.kind) {
    case 'attention': {
      const reach =
        mixer.window === undefined ? '' : `, ${mixer.chunked ? 'chunks' : 'window'} of ${grouped(mixer.window)}`;
      return `attention ${mixer.heads} heads, ${mixer.keyValueHeads} KV heads of ${mixer.keySize}${reach}`;
    }
    case 'latent-attention':
      return `latent attention ${mixer.heads} heads, latent ${mixer.keyValueRank} + ${mixer.ropeSize}`;
    case 'recurrent':
      return `${mixer.variant}, state of ${grouped(mixer.stateElements)} elements`;
    case 'none':
      return '';
  }
}

function feedForwardWords(block: FeedForward): string {
  switch (block.kind) {
    case 'dense':
      return `MLP ${grouped(block.width)}${block.gated ? ' gated' : ''}`;
    case 'experts':
      return `${block.active} of ${block.experts} experts of ${grouped(block.width)}${block.sharedWidth === 0 ? '' : ` and ${grouped(block.sharedWidth)} shared`}`;
    case 'linear':
      return 'one matrix for the MLP';
    case 'none':
      return '';
  }
}

function engineRows(engine: Engine): readonly Row[] {
  return [
    ['kernels', engine.kernels],
    ...(engine.platforms ?? []).map(({ name, through }, index): Row => [
      index === 0 ? 'runs on' : '',
      through === undefined ? name : `${name}, with ${through}`,
    ]),
    ...(engine.formats ?? []).map(({ family, says }, index): Row => [
      index === 0 ? 'formats' : '',
      `${formatFamilyWords[family]}: ${says}`,
    ]),
    ...engine.releases.flatMap(releaseRows),
  ];
}

function releaseRows({ version, since, scheduling, memory, overhead, sampler }: EngineRelease): readonly Row[] {
  const rules = (list: EngineRelease['scheduling']['tokenBudget']): string =>
    list.length === 0
      ? 'no limit'
      : list
          .map(
            ({ memory: least, value }) =>
              `${grouped(value)}${least === 0 ? '' : ` from ${formatRounded(least, 'bytes')}`}`,
          )
          .join(', ');
  const flags = [
    scheduling.policy,
    ...(scheduling.prefixCache ? ['prefix cache'] : []),
    ...(scheduling.schedulesAhead ? ['schedules one step ahead'] : []),
    ...(scheduling.graphs ? ['graphs'] : []),
  ];
  const time = (seconds: number): string => formatRounded(seconds, 'time');
  return [
    ['', ''],
    [version, `since ${since}: ${flags.join(', ')}`],
    ['  tokens per step', rules(scheduling.tokenBudget)],
    ['  sequences', rules(scheduling.maxSequences)],
    [
      '  memory',
      `${memory.fraction * 100} % of ${memory.basis === 'total' ? 'all' : 'what weights leave'}, ${formatRounded(memory.reserve, 'bytes')} kept`,
    ],
    [
      '  overhead',
      `${time(overhead.step)} a step, ${time(overhead.layer)} a layer, ${time(overhead.sequence)} a sequence, ${time(overhead.request)} a request`,
    ],
    ...(sampler === undefined
      ? []
      : [
          [
            '  sampling',
            `${sampler.readsCheckpoint ? 'as the checkpoint says' : 'from all tokens'} where requests do not; top-p and top-k ${sampler.filter.bytesPerLogit} bytes a logit`,
          ] as const,
        ]),
  ];
}
