import type { AmountFormula, DraftingSeconds, HostSeconds, StepFormulas } from '../../serving/step-formulas.ts';
import { grouped } from '../clock-time.ts';
import { countLines, type DerivationLine, equation, plain, share, time } from './derivation-line.ts';
import { operatorLines, smoothMaximum } from './operator-lines.ts';

/** A phase: what its step holds, every operator, and their sum with what the host adds. */
export function phaseLines(step: StepFormulas, title: string): readonly DerivationLine[] {
  const { operators, amounts, host, variables, seconds, drafting } = step;
  const parts = [...operators.map((each) => each.seconds), ...(drafting === undefined ? [] : [drafting.seconds])];
  const device = parts.reduce((total, each) => total + each, 0);
  const tokens = variables['prefillTokens'] ?? 0;
  return [
    plain(`${title}: ${stepWords(step)}`),
    ...amounts.flatMap(amountLines),
    ...operators.flatMap((operator) => operatorLines(operator, tokens, host.sequences)),
    ...(drafting === undefined ? [] : [draftingLine(drafting)]),
    equation('  all operators', parts.map(time).join(' + '), device),
    ...hostLines(host, device, seconds),
  ];
}

/** The passes of the draft: each a stated share of a plain step's operators, or as its own block derives it. */
function draftingLine({ passes, seconds, cost }: DraftingSeconds): DerivationLine {
  const label =
    cost === undefined
      ? '  drafting: passes * operators of a pass'
      : '  drafting: passes * stated cost * operators of a plain step';
  const expression = `${passes} * ${cost === undefined ? '' : `${share(cost)} * `}${time(seconds / (passes * (cost ?? 1)))}`;
  return equation(label, expression, seconds);
}

function stepWords({ steps, variables }: StepFormulas): string {
  const tokens = variables['tokens'] ?? 0;
  return `${steps === 1 ? 'one step' : `${grouped(Number(share(steps)))} steps`} of ${grouped(Number(share(tokens)))} ${tokens === 1 ? 'token' : 'tokens'}`;
}

function amountLines(amount: AmountFormula): readonly DerivationLine[] {
  const [kind = ''] = amount.variable.split('/');
  const names: Readonly<Record<string, string>> = {
    pairs: 'query-key pairs',
    prefillContext: 'cached entries',
    decodeContext: 'cached entries',
    touchedExperts: 'experts visited',
  };
  return countLines(`  ${names[kind] ?? kind}`, amount, amount.value, 'ratio');
}

/** Launches race the device where nothing replays them; the rest of the host's time adds. */
function hostLines(host: HostSeconds, device: number, seconds: number): readonly DerivationLine[] {
  const { launch, launchSharpness, perStep, perSequence, sequences, perStreamed, streamed } = host;
  const raced = launch > 0 ? device * (1 + (launch / device) ** launchSharpness) ** (1 / launchSharpness) : device;
  const terms = [
    ...(perStep > 0 ? [time(perStep)] : []),
    ...(perSequence * sequences > 0 ? [`${share(sequences)} * ${time(perSequence)}`] : []),
    ...(perStreamed * streamed > 0 ? [`${share(streamed)} * ${time(perStreamed)}`] : []),
  ];
  return [
    ...(launch > 0
      ? [equation('  with launches beside it', smoothMaximum(device, launch, launchSharpness), raced)]
      : []),
    ...(terms.length > 0 ? [equation('  step with the host', [time(raced), ...terms].join(' + '), seconds)] : []),
  ];
}
