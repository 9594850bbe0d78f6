import { estimate } from '../../estimate.ts';
import { estimateText, screenWidth } from '../../present/estimate-text.ts';
import { terminalPaint, plainPaint } from '../../present/paint.ts';
import { plainText } from '../../present/plain-text.ts';
import { wrapText } from '../../present/wrap-text.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';

const epilogue = `Examples
  A 70B model on four H100, 16 requests in flight:
    twoclocks estimate --model llama-3.1-70b --hardware h100 --tp 4 --prompt 2k --output 300 --concurrency 16
  The textbook floor of the same, and the sum by hand at 60 % of peak:
    twoclocks estimate -m llama-3.1-70b -g h100 --tp 4 --ideal
    twoclocks estimate -m llama-3.1-70b -g h100 --tp 4 --ideal --utilisation 60%
  A model file of your own, 4-bit weights, on a desktop card:
    twoclocks estimate -m ./model.gguf -g rtx-4090 -e llama.cpp
  Three groups that prefill and five that decode, and drafted tokens:
    twoclocks estimate -m llama-3.1-8b -g h100 --disaggregate 3p5d --rate 20
    twoclocks estimate -m llama-3.1-70b -g h100 --tp 4 --speculation draft:model=llama-3.2-1b:k=4:acceptance=0.8
  What faster memory would do:
    twoclocks estimate -m llama-3.1-8b -g h100 --set 'hardware.memory.bandwidth=hardware.memory.bandwidth*1.5'
  Every operator with its formula; a result that can be replayed:
    twoclocks estimate -m llama-3.1-8b -g h100 --explain
    twoclocks estimate -m llama-3.1-8b -g h100 --json > result.json && twoclocks replay result.json`;

export const estimateCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: {
    ...scenarioOptions,
    ...outputOptions,
    explain: {
      type: 'flag',
      group: 'Output',
      describe: 'the derivation: every operator with formula, numbers and units',
    },
  },
  epilogue,
  run,
};

async function run(given: Given, { catalog, colour, version }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario, own, notes } = await readScenario(given, catalog);
  const result = estimate(scenario);
  const derived = given.flags.has('explain')
    ? await import('../explanation.ts').then(({ explanation }) => explanation(scenario, result))
    : undefined;
  switch (format) {
    case 'text': {
      const said = notes.flatMap((note) => wrapText(`Note: ${plainText(note)}`, screenWidth, 2));
      const screen = derived ?? [estimateText(scenario, result, colour ? terminalPaint : plainPaint).trimEnd()];
      return { output: [...said, ...screen, ''].join('\n'), code: 0 };
    }
    case 'json': {
      const [{ estimateJson }, { estimateReceipt }] = await Promise.all([
        import('../../present/estimate-json.ts'),
        import('../make-receipt.ts'),
      ]);
      const json = estimateJson(result, estimateReceipt(scenario, result, own, version));
      return { output: jsonText({ ...json, ...(derived === undefined ? {} : { derivation: derived }) }), code: 0 };
    }
    case 'csv':
    case 'md': {
      const { estimateRows } = await import('../../present/estimate-rows.ts');
      const { tableCsv, tableMarkdown } = await import('../../present/table-text.ts');
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(estimateRows(result)), code: 0 };
    }
  }
}
