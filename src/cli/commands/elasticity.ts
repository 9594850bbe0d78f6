import { prepare } from '../../estimate.ts';
import { elasticityRows, elasticityText } from '../../present/elasticity-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { tableCsv, tableMarkdown } from '../../present/table-text.ts';
import { checkWorkload } from '../../profile/check-scenario.ts';
import { elasticitiesOf } from '../../whatif/elasticity.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';

export const elasticityCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: { ...scenarioOptions, ...outputOptions },
  epilogue: `Example
  twoclocks elasticity -m llama-3.1-70b -g h100 --tp 4 -p 2k -o 300 -c 16`,
  run,
};

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario } = await readScenario(given, catalog);
  checkWorkload(scenario.workload);
  const result = elasticitiesOf(scenario, prepare(scenario.deployment, scenario.grade).compiled);
  switch (format) {
    case 'text':
      return { output: elasticityText(scenario, result, colour ? terminalPaint : plainPaint), code: 0 };
    case 'json':
      return { output: jsonText({ schema: 'twoclocks/elasticity@1', ...result }), code: 0 };
    case 'csv':
    case 'md':
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(elasticityRows(result)), code: 0 };
  }
}
