import { estimate } from '../../../estimate.ts';
import { resolvePrecision } from '../../../profile/precision.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { compile } from '../../../serving/compiled.ts';
import { acceptanceThatPays, loadWhereLeverStops, ranksWhereTpotTurns } from '../../../whatif/break-even.ts';
import { applyLevers, type Lever, whyNot } from '../../../whatif/lever.ts';
import { precisionLever } from '../../../whatif/levers/precision.ts';
import { speculationLever } from '../../../whatif/levers/speculation.ts';
import { quickOutcome, quickOutcomeOf } from '../../../whatif/quick-outcome.ts';
import { digits, grouped } from '../../clock-time.ts';
import { binaryTicks, logSpaced } from '../axis-ticks.ts';
import type { BreakEvenData, BreakEvenPanel } from '../break-even.ts';
import { headingOf } from '../heading-of.ts';

const mostSequences = 512;
const mostRanks = 32;

/** Where the model hardly fits, requests wait for memory, and a curve would leave every scale. */
const longestRatio = 5;
const drafted = 3;
const shortest = 32;
const longest = 131_072;

/** Where four common levers stop to pay: fewer bits, more ranks, drafting, a cached prefix. */
export function breakEvenData(scenario: Scenario): BreakEvenData {
  const decodes = scenario.workload.output > 1;
  return {
    heading: headingOf(
      'Where levers stop to pay',
      scenario,
      estimate(scenario),
      'A clock with the lever over the clock without it: below 1 it pays. Points: where the balance tips.',
    ),
    panels: [
      ...(decodes ? [...weightPanel(scenario), ...ranksPanel(scenario), ...draftPanel(scenario)] : []),
      cachePanel(scenario),
    ],
  };
}

/** Weights of fewer bits as the batch grows; the load is that of the scenario with another size. */
function weightPanel(scenario: Scenario): readonly BreakEvenPanel[] {
  const { deployment, workload, grade } = scenario;
  const own = resolvePrecision(deployment.model, deployment.precision).feedForward;
  const formats = deployment.engine.kernels === 'llama.cpp' ? ['q8_0', 'q4_k_m'] : ['fp8', 'w4a16-awq'];
  const levers = formats
    .filter((format) => format !== own.name)
    .map((format) => precisionLever('weights', format))
    .filter((lever) => whyNot([lever], scenario) === undefined);
  if (levers.length === 0) return [];
  const kind = workload.load.kind === 'batch' ? 'batch' : 'concurrency';
  const asked: Scenario = { ...scenario, workload: { ...workload, load: { kind, size: 1 } } };
  const without = compile(deployment, grade);
  const xs = logSpaced(1, mostSequences, 28, true);
  const curveOf = (lever: Lever): BreakEvenPanel['curves'][number] => {
    const compiled = compile(applyLevers([lever], asked).deployment, grade);
    return {
      label: nameOf(lever),
      points: xs.map((size) => {
        const at = { ...workload, load: { kind, size } as const };
        return { x: size, ratio: quickOutcomeOf(compiled, at).tpot / quickOutcomeOf(without, at).tpot };
      }),
    };
  };
  const tips = levers.flatMap((lever) => {
    const { value } = loadWhereLeverStops(asked, lever);
    return value === undefined || value > mostSequences
      ? []
      : [{ x: value, label: `${nameOf(lever)} up to ${grouped(Math.floor(value))}` }];
  });
  const title = `Fewer bits: TPOT against ${kind === 'batch' ? 'batch' : 'requests in flight'}`;
  const axis = {
    title: '',
    isLog: true,
    kind: 'number',
    ticks: binaryTicks(1, mostSequences).filter((_, at) => at % 2 === 0),
  } as const;
  return [
    {
      title,
      axis: { ...axis, title: kind === 'batch' ? 'batch' : 'requests in flight' },
      curves: levers.map(curveOf),
      tips,
    },
  ];
}

const nameOf = ({ label }: Lever): string => label.replace(/ weights$/, '');

function ranksPanel(scenario: Scenario): readonly BreakEvenPanel[] {
  const { best, curve } = ranksWhereTpotTurns(scenario, mostRanks);
  const now = quickOutcome(scenario);
  const binary = curve.filter(
    ({ tensor, ttft }) => Number.isInteger(Math.log2(tensor)) && ttft < longestRatio * now.ttft,
  );
  if (binary.length < 2) return [];
  const most = binary.at(-1)?.tensor ?? 1;
  return [
    {
      title: `More ranks: TPOT is least at TP ${best}`,
      axis: { title: 'tensor parallel ranks', isLog: true, kind: 'number', ticks: binaryTicks(1, most) },
      curves: [
        { label: 'TPOT', points: binary.map(({ tensor, tpot }) => ({ x: tensor, ratio: tpot / now.tpot })) },
        { label: 'TTFT', points: binary.map(({ tensor, ttft }) => ({ x: tensor, ratio: ttft / now.ttft })) },
      ],
      tips: [],
    },
  ];
}

function draftPanel(scenario: Scenario): readonly BreakEvenPanel[] {
  const speculation = { method: 'eagle', tokens: drafted, acceptance: 0.5 } as const;
  const { speculation: _, ...deployment } = scenario.deployment;
  const plain = { ...scenario, deployment };
  if (whyNot([speculationLever(speculation)], plain) !== undefined) return [];
  const without = quickOutcome(plain).tpot;
  const { value } = acceptanceThatPays(scenario, speculation);
  const points = Array.from({ length: 21 }, (_each, index) => {
    const acceptance = Math.min(0.999, Math.max(0.001, index / 20));
    const changed = applyLevers([speculationLever({ ...speculation, acceptance })], plain);
    return { x: index / 20, ratio: quickOutcome(changed).tpot / without };
  });
  return [
    {
      title: `Drafting ${drafted} tokens (EAGLE): TPOT against acceptance`,
      axis: { title: 'chance that a drafted token is kept', isLog: false, kind: 'number' },
      curves: [{ label: 'TPOT', points }],
      tips: value === undefined ? [] : [{ x: value, label: `pays from ${digits(value)}` }],
    },
  ];
}

/** Half of the prompt cached, over prompt lengths: short prompts have little to save. */
function cachePanel(scenario: Scenario): BreakEvenPanel {
  const { deployment, workload, grade } = scenario;
  const compiled = compile(deployment, grade);
  const most = Math.max(workload.prompt, Math.min(longest, deployment.model.contextLimit ?? longest) - workload.output);
  const load = { kind: 'concurrency', size: 1 } as const;
  const xs = logSpaced(shortest, Math.max(2 * shortest, most), 28, true);
  const curve = (share: number): BreakEvenPanel['curves'][number] => ({
    label: `${share * 100} % cached`,
    points: xs.map((prompt) => {
      const cached = Math.floor(prompt * share);
      const ttft = quickOutcomeOf(compiled, { ...workload, prompt, cached, load }).ttft;
      return { x: prompt, ratio: ttft / quickOutcomeOf(compiled, { ...workload, prompt, cached: 0, load }).ttft };
    }),
  });
  return {
    title: 'Cached prefix: TTFT of a request alone',
    axis: { title: 'prompt tokens', isLog: true, kind: 'tokens' },
    curves: [curve(0.5), curve(0.9)],
    tips: [],
  };
}
