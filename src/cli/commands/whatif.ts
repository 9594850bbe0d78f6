import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { tableCsv, tableMarkdown } from '../../present/table-text.ts';
import { whatIfRows } from '../../present/what-if-rows.ts';
import { whatIfText } from '../../present/what-if-text.ts';
import { whatIf } from '../../whatif/what-if.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { missingChange } from '../messages.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';
import { changeOption, pricesOf, readChanges } from '../what-if-choices.ts';

const epilogue = `Levers: hardware, devices, tp, pp, dp, ep, replicas, weights, activations, kv, batch, concurrency, rate, prompt,
output, cached, hit, budget, sequences, speculation, disaggregate, engine, graphs, sampling, power, offload, and fields
such as hardware.memory.bandwidth. Each --change is one answer; levers with commas between them are pulled together.

Examples
  Will a bigger GPU help TTFT or TPOT?
    twoclocks whatif -m llama-3.1-70b -g h100 --tp 4 -c 16 --change hardware=h200 --change tp=8
  Quantisation, a prefix cache, speculation:
    twoclocks whatif -m llama-3.1-8b -g h100 --change weights=int4,kv=fp8 --change hit=80% \\
      --change speculation=eagle:k=3:acceptance=0.7
  A card that does not exist:
    twoclocks whatif -m llama-3.1-8b -g h100 --change 'hardware.memory.bandwidth=*1.5'`;

export const whatIfCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: { ...scenarioOptions, ...changeOption, ...outputOptions },
  epilogue,
  run,
};

async function run(given: Given, { catalog, colour, version }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario, own } = await readScenario(given, catalog);
  const changes = await readChanges(given, catalog);
  if (changes.length === 0) throw new InputError(missingChange);
  const result = whatIf(scenario, changes, await pricesOf());
  switch (format) {
    case 'text':
      return { output: whatIfText(scenario, result, colour ? terminalPaint : plainPaint), code: 0 };
    case 'json': {
      const [{ estimateJson }, { estimateReceipt }] = await Promise.all([
        import('../../present/estimate-json.ts'),
        import('../make-receipt.ts'),
      ]);
      const receipt = estimateReceipt(scenario, result.base, own, version);
      return { output: jsonText({ ...result, base: estimateJson(result.base), receipt }), code: 0 };
    }
    case 'csv':
    case 'md':
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(whatIfRows(result)), code: 0 };
  }
}
