import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { examine, isSound } from '../../measured/doctor.ts';
import { readingOf } from '../../measured/reading.ts';
import { doctorText } from '../../present/doctor-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { jsonText } from '../output-format.ts';
import { assumedLengths, deploymentOptions, readDeployment, readMeasuredFile } from '../read-runs.ts';

export const doctorCommand: Command = {
  positionals: '<file...>',
  counts: [1, Infinity],
  options: {
    ...deploymentOptions,
    json: { type: 'flag', group: 'Output', describe: 'the documented JSON object' },
  },
  epilogue: `Checks the figures of a benchmark result, server metrics or a log against each other before any
is believed; with model and hardware also against what the device can do at most. The format is
told by content; docs/formats.md lists them. Exit code 1 where a figure must not be used, 2 where
a file cannot be read.

Examples
  twoclocks doctor openai-4.0qps.json
  twoclocks doctor benchmarks.json -m llama-3.1-8b -g h100
  curl -s localhost:8000/metrics > metrics.txt && twoclocks doctor metrics.txt`,
  run,
};

/** What was read of a run; requests one by one and samples over time are left out. */
function readingJson({ timings: _timings, samples: _samples, ...reading }: BenchmarkRun): object {
  return reading;
}

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const deployment = await readDeployment(given, catalog);
  const assumed = assumedLengths(given);
  const examined = [];
  for (const path of given.positionals) {
    const file = await readMeasuredFile(path);
    examined.push({ file, examination: examine(file.runs, file.where, deployment, assumed) });
  }
  const code = examined.every(({ examination }) => isSound(examination)) ? 0 : 1;
  if (given.flags.has('json')) {
    const files = examined.map(({ file: { where, format, runs }, examination }) => ({
      where,
      format,
      runs: runs.length,
      readings: runs.map(readingJson),
      ...examination,
    }));
    return { output: jsonText({ schema: 'twoclocks/doctor@1', files }), code };
  }
  const texts = examined.map(({ file, examination }) =>
    doctorText({ ...file, runs: file.runs.map(readingOf) }, examination, colour ? terminalPaint : plainPaint),
  );
  return { output: texts.join('\n'), code };
}
