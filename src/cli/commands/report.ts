import { basename, dirname, extname, join } from 'node:path';
import { reportHtml } from '../../present/report/report-html.ts';
import { reportMarkdown } from '../../present/report/report-markdown.ts';
import type { Command, Given, OptionTable, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { missingReportFile, wrongReportFormat } from '../messages.ts';
import { buildReport } from '../build-report.ts';
import { scenarioOptions } from '../scenario-options.ts';
import { writeAside } from '../write-aside.ts';

const epilogue = `One chapter for each comparison of the scenario file (for each scenario where there are none): question, answer, numbers,
charts, derivation, assumptions, sources, what is not modelled, the third clock. For PDF, print the HTML page.
Charts of a Markdown report lie beside it; each can be replayed.

Examples
  twoclocks report plan.yaml -o report.html
  twoclocks report plan.yaml#bigger-gpu -o report.md
  twoclocks report -m llama-3.1-70b -g h100 --tp 4 -o report.html`;

const { output: outputTokens, ...otherOptions } = scenarioOptions;
const options: OptionTable = {
  ...otherOptions,
  ...(outputTokens === undefined ? {} : { output: { ...outputTokens, alias: [] } }),
  out: { type: 'text', group: 'Output', alias: ['o'], describe: 'file to write: .md or .html' },
};

export const reportCommand: Command = { positionals: '[plan.yaml]', counts: [0, 1], options, epilogue, run };

async function run(given: Given, surroundings: Surroundings): Promise<Outcome> {
  const { out } = given.text;
  if (out === undefined) throw new InputError(missingReportFile);
  const ending = extname(out).toLowerCase();
  if (ending !== '.md' && ending !== '.html') throw new InputError(wrongReportFormat(out));
  const [file] = given.positionals;
  const asked = file === undefined ? given : { ...given, text: { ...given.text, scenario: file } };
  const { title, blocks } = await buildReport(asked, surroundings);
  if (ending === '.html') {
    writeAside(out, reportHtml(title, blocks));
    return { output: '', code: 0 };
  }
  const name = (chart: string): string => `${basename(out, extname(out))}-${chart}.svg`;
  // Pictures first: a report whose pictures are missing would be half a file.
  for (const block of blocks) if (block.kind === 'chart') writeAside(join(dirname(out), name(block.chart)), block.svg);
  writeAside(out, reportMarkdown(blocks, name));
  return { output: '', code: 0 };
}
