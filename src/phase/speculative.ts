import type { ExpertGroup } from '../operator/feed-forward.ts';
import type { Operator, Term, Variable } from '../operator/operator.ts';
import type { LayerGroup, Model } from '../profile/model.ts';
import type { Deployment, Grade, Speculation } from '../profile/scenario.ts';
import { compileDeployment } from '../roofline/compile.ts';
import {
  fixedVariables,
  secondsPerSlot,
  slotsPerOperator,
  type StepTable,
  variablesOf,
} from '../roofline/step-table.ts';

/**
 * Tokens that a sequence keeps of one step, in the mean: the model's own and the drafted ones before the first that is
 * rejected, 1 + a + a^2 + ... + a^k (Leviathan et al. 2023, https://arxiv.org/abs/2211.17192, equation 1).
 */
export const tokensPerStep = ({ tokens, acceptance }: Speculation): number =>
  acceptance === 1 ? tokens + 1 : (1 - acceptance ** (tokens + 1)) / (1 - acceptance);

/** Rows of the smallest matrix-unit tile, to which decode attention pads the queries of an entry (operator/attention.ts). */
const tileRows = 16;

/**
 * The steps of a deployment with speculation: k passes of the draft over one token of each sequence, then one pass of
 * the model over k + 1 of them. Weights and KV cache are read once for all k + 1, which is the gain; the arithmetic is
 * theirs in full, which is the price once it no longer hides behind the reading.
 */
export function withSpeculation(table: StepTable, deployment: Deployment, grade: Grade): StepTable {
  const { speculation } = deployment;
  if (speculation === undefined) return table;
  const width = speculation.tokens + 1;
  const checked = { ...table, slotSeconds: widenedAttention(table, width, grade) };
  const draft = draftTable(table, deployment, speculation, grade);
  return {
    ...table,
    speculative: {
      ...(draft === undefined ? checked : joined(checked, draft, speculation.tokens)),
      decodeWidth: width,
      tokensPerStep: tokensPerStep(speculation),
    },
  };
}

/**
 * The model that drafts, as a deployment of its own; undefined where drafting costs no pass or a stated share of one.
 * A draft takes the largest logit whatever requests ask of the model (github.com/vllm-project/vllm/pull/16899, 2025-04).
 */
export function draftDeployment(deployment: Deployment): Deployment | undefined {
  const { speculation: _, ...own } = deployment;
  const plain: Deployment = { ...own, sampling: 'greedy' };
  const { method, cost, draft } = deployment.speculation ?? { method: 'ngram' };
  if (cost !== undefined || method === 'ngram') return undefined;
  if (method === 'draft') return draft === undefined ? undefined : { ...plain, model: draft, precision: {} };
  const model = oneLayer(plain.model);
  return model === undefined ? undefined : { ...plain, model };
}

/** EAGLE and multi-token prediction draft with one layer of the model's own shape and the model's own head. */
function oneLayer(model: Model): Model | undefined {
  const [last] = model.layers.slice(-1);
  if (last === undefined) return undefined;
  const layer: LayerGroup = { ...last, count: 1 };
  // Two vectors of the hidden size, the token's and the model's, are brought to one.
  const projectionParameters = 2 * model.hiddenSize ** 2;
  return { ...model, layers: [layer], embedding: { ...model.embedding, projectionParameters } };
}

function draftTable(
  table: StepTable,
  deployment: Deployment,
  { cost }: Speculation,
  grade: Grade,
): StepTable | undefined {
  if (cost !== undefined) return cost === 0 ? undefined : slowed(table, cost);
  const draft = draftDeployment(deployment);
  // A pipeline drafts on its last stage alone.
  return draft === undefined
    ? undefined
    : compileDeployment({ ...draft, parallelism: { ...draft.parallelism, pipeline: 1 } }, grade);
}

const slowed = (table: StepTable, factor: number): StepTable => ({
  ...table,
  slotSeconds: table.slotSeconds.map((seconds) => seconds * factor),
  floors: table.floors.map((seconds) => seconds * factor),
  perStep: table.perStep * factor,
  perSequence: table.perSequence * factor,
  perStreamed: table.perStreamed * factor,
  launch: table.launch * factor,
  ...(table.prefillLaunch === undefined ? {} : { prefillLaunch: table.prefillLaunch * factor }),
});

/**
 * How much more a checking pass computes than decoding one token each: decode attention multiplies `width` queries with
 * each entry it reads, and padding may already hold some of them.
 */
export function widening(
  { kind, queriesPerEntry = 1 }: Pick<Operator, 'kind' | 'queriesPerEntry'>,
  width: number,
  grade: Grade,
): number {
  if (kind !== 'decode-attention' && kind !== 'latent-decode') return 1;
  const tiles = (queries: number): number => Math.ceil(queries / tileRows);
  return grade === 'ideal' ? width : tiles(queriesPerEntry * width) / tiles(queriesPerEntry);
}

function widenedAttention(table: StepTable, width: number, grade: Grade): Float64Array {
  const seconds = table.slotSeconds.slice();
  for (const [index, operator] of table.operators.entries()) {
    const factor = widening(operator, width, grade);
    if (factor === 1) continue;
    for (let slot = index * slotsPerOperator; slot < (table.slotEnds[index] ?? 0); slot++) {
      seconds[slot * secondsPerSlot] = (seconds[slot * secondsPerSlot] ?? 0) * factor;
    }
  }
  return seconds;
}

/** One table for the model's pass and `passes` of the draft, whose every token is one of a decoding sequence. */
function joined(model: StepTable, draft: StepTable, passes: number): StepTable {
  const spans = [...model.spans, ...draft.spans];
  const drafted: readonly ExpertGroup[] = draft.expertGroups.map((group) => ({
    ...group,
    tokenFactor: group.tokenFactor / (passes + 1),
  }));
  const expertGroups = [...model.expertGroups, ...drafted];
  const variables = variablesOf(spans.length, expertGroups.length);
  const ofModel = (variable: Variable): Variable => variable;
  const ofDraft = (variable: Variable): Variable =>
    draftVariable(variable, model.spans.length, model.expertGroups.length);
  const kept = draft.operators.map(decodes);
  const rows = kept.flatMap((decoding, index) => (decoding ? [index] : []));
  return {
    operators: [...model.operators, ...rows.map((index) => asDraft(draft.operators[index], passes, ofDraft))],
    spans,
    expertGroups,
    variables,
    slotVariables: Int32Array.from([
      ...renamed(model, variables, ofModel),
      ...picked(renamed(draft, variables, ofDraft), rows, slotsPerOperator),
    ]),
    slotSeconds: Float64Array.from([
      ...model.slotSeconds,
      ...picked(draft.slotSeconds, rows, slotsPerOperator * secondsPerSlot).map((seconds) => seconds * passes),
    ]),
    slotEnds: Int32Array.from([
      ...model.slotEnds,
      ...rows.map(
        (index, at) => (draft.slotEnds[index] ?? 0) + (model.operators.length + at - index) * slotsPerOperator,
      ),
    ]),
    sharpness: Float64Array.from([...model.sharpness, ...picked(draft.sharpness, rows, 1)]),
    floors: Float64Array.from([...model.floors, ...picked(draft.floors, rows, 1).map((floor) => floor * passes)]),
    isCollective: Uint8Array.from([...model.isCollective, ...picked(draft.isCollective, rows, 1)]),
    rates: [...model.rates, ...rows.flatMap((index) => draft.rates[index] ?? [])],
    perStep: model.perStep + passes * draft.perStep,
    perSequence: model.perSequence,
    perStreamed: model.perStreamed,
    launch: model.launch + passes * draft.launch,
    ...(model.prefillLaunch === undefined ? {} : { prefillLaunch: model.prefillLaunch + passes * draft.launch }),
  };
}

const prefillOnly = /^(?:pairs|prefillContext)\/|^prefillTokens$/;

/** Operators of prefill have nothing to do with drafting, but for a term that is there in any step. */
const decodes = ({ terms }: Operator): boolean => terms.some(({ variable }) => !prefillOnly.test(variable));

function draftVariable(variable: Variable, spans: number, groups: number): Variable {
  const [kind, index] = variable.split('/');
  switch (kind) {
    case 'once':
      return 'once';
    case 'decodeContext':
      return `decodeContext/${Number(index) + spans}`;
    case 'touchedExperts':
      return `touchedExperts/${Number(index) + groups}`;
    case 'chargedVisits':
      return `chargedVisits/${Number(index) + groups}`;
    case undefined:
    default:
      return 'decodeSequences';
  }
}

function asDraft(operator: Operator | undefined, passes: number, name: (variable: Variable) => Variable): Operator {
  if (operator === undefined) throw new RangeError('a draft has fewer operators than its table');
  const term = (each: Term): Term => ({
    variable: name(each.variable),
    flops: each.flops * passes,
    weightBytes: each.weightBytes * passes,
    keyValueBytes: each.keyValueBytes * passes,
    activationBytes: each.activationBytes * passes,
    linkBytes: each.linkBytes * passes,
  });
  return {
    ...operator,
    name: `draft: ${operator.name}`,
    count: operator.count * passes,
    terms: operator.terms.map(term),
  };
}

function renamed(table: StepTable, variables: readonly Variable[], name: (variable: Variable) => Variable): number[] {
  return Array.from(table.slotVariables, (at) => variables.indexOf(name(table.variables[at] ?? fixedFirst)));
}

const [fixedFirst = 'once'] = fixedVariables;

/** Blocks of `size` numbers, those of the rows named. */
const picked = (numbers: ArrayLike<number>, rows: readonly number[], size: number): number[] =>
  rows.flatMap((row) => Array.from({ length: size }, (_, offset) => numbers[row * size + offset] ?? 0));
