import { adviseText } from '../../present/advise-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { tableCsv, tableMarkdown } from '../../present/table-text.ts';
import { advise, type Advised } from '../../whatif/advise.ts';
import { complaints } from '../../whatif/complaint.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readCount } from '../read-number.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';
import { allChoices, pricesOf } from '../what-if-choices.ts';

const epilogue = `Tries precision, parallelism, caching, speculation, disaggregation, engines, budgets, loads, power and every device of the
catalogue, all on the engine; nothing is looked up in a table of answers.

Complaints
${complaints.map(({ name, said }) => `  ${name.padEnd(16)}'${said}'`).join('\n')}

Examples
  twoclocks advise -m llama-3.1-70b -g h100 --tp 4 -p 2k -o 300 -c 16
  twoclocks advise -m llama-3.1-8b -g l4 --complaint long-documents`;

export const adviseCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: {
    ...scenarioOptions,
    ...outputOptions,
    complaint: {
      type: 'text',
      group: 'Advice',
      choices: complaints.map(({ name }) => name),
      describe: 'what a user says; the clock behind it is computed',
    },
    top: { type: 'text', group: 'Advice', describe: 'levers to show for each clock (6)' },
  },
  epilogue,
  run,
};

async function run(given: Given, { catalog, colour, version }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const top = given.text['top'] === undefined ? 6 : readCount('top', given.text['top']);
  const complaint = complaints.find(({ name }) => name === given.text['complaint']);
  const [{ scenario, own }, choices, prices] = await Promise.all([
    readScenario(given, catalog),
    allChoices(catalog),
    pricesOf(),
  ]);
  const advised = advise(scenario, choices, { prices, ...(complaint === undefined ? {} : { complaint }) });
  switch (format) {
    case 'text':
      return { output: adviseText(scenario, advised, top, colour ? terminalPaint : plainPaint), code: 0 };
    case 'json': {
      const [{ estimateReceipt }, { estimate }] = await Promise.all([
        import('../make-receipt.ts'),
        import('../../estimate.ts'),
      ]);
      const receipt = estimateReceipt(scenario, estimate(scenario), own, version);
      return { output: jsonText({ schema: 'twoclocks/advise@1', ...labelled(advised), receipt }), code: 0 };
    }
    case 'csv':
    case 'md':
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(rowsOf(advised)), code: 0 };
  }
}

/** Ranks by label, so that each lever is written once. */
function labelled({ ranks, first, ...rest }: Advised): object {
  const labels = (advices: Advised['levers']): readonly string[] => advices.map(({ label }) => label);
  return {
    ...rest,
    ranks: Object.fromEntries(Object.entries(ranks).map(([ranking, advices]) => [ranking, labels(advices)])),
    first: Object.fromEntries(Object.entries(first).map(([ranking, advice]) => [ranking, advice?.label])),
  };
}

const rowsOf = ({
  levers,
}: Advised): { headers: readonly string[]; rows: readonly (readonly (string | number)[])[] } => ({
  headers: ['lever', 'TTFT ratio', 'TPOT ratio', 'E2E ratio', 'throughput ratio', 'cost ratio', 'costs elsewhere'],
  rows: levers.map(({ levers: texts, ratios, costs }) => [
    texts.join(','),
    ratios.ttft,
    ratios.tpot,
    ratios.e2e,
    ratios.throughput,
    ratios.cost ?? '',
    costs.join('; '),
  ]),
});
