import { estimate } from '../estimate.ts';
import { biggerDeviceText, type Estimated } from '../present/bigger-device.ts';
import { estimateText } from '../present/estimate-text.ts';
import { plainPaint, terminalPaint } from '../present/paint.ts';
import type { Given, Outcome, Surroundings } from './command.ts';
import { readScenario } from './read-scenario.ts';

/** The scenario that is shown where nobody names one, and the devices that it is compared with. */
const options = {
  model: 'llama-3.1-70b',
  hardware: 'h100-sxm5-80gb',
  tp: '4',
  prompt: '2000',
  output: '300',
  concurrency: '16',
} as const;
const bigger = ['h200-sxm-141gb', 'b200-sxm'] as const;

const hint = `This was: twoclocks estimate ${Object.entries(options)
  .map(([name, value]) => `--${name} ${value}`)
  .join(' ')}
Your own: twoclocks --help
`;

/** Both clocks of a default scenario, and whether a bigger device would help. */
export async function demo({ catalog, colour }: Surroundings): Promise<Outcome> {
  const estimated = async (hardware: string): Promise<Estimated> => {
    const given: Given = { text: { ...options, hardware }, flags: new Set(), lists: {}, positionals: [] };
    const { scenario } = await readScenario(given, catalog);
    return { scenario, estimate: estimate(scenario) };
  };
  const [base, ...others] = await Promise.all([estimated(options.hardware), ...bigger.map(estimated)]);
  const screen = estimateText(base.scenario, base.estimate, colour ? terminalPaint : plainPaint);
  return { output: `${screen}\n${biggerDeviceText(base, others)}\n${hint}`, code: 0 };
}
