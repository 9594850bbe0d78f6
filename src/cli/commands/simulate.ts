import { checkScenario } from '../../profile/check-scenario.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { plainText } from '../../present/plain-text.ts';
import type { Scenario } from '../../profile/scenario.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { makeReceipt } from '../make-receipt.ts';
import { outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';
import { readSimulation, simulationOptions } from '../simulate-options.ts';
import { runSpec, type SimulationSpec, traceOf } from '../simulation-spec.ts';

const epilogue = `Every request is simulated by the engine's own scheduling rules; percentiles come from here, means also from 'estimate'.
Ctrl-C prints what is known so far and ends with exit code 0. JSON carries what it takes to run it again: 'twoclocks replay' proves it.

Examples
  Percentiles at 20 requests/s, and how many keep two limits:
    twoclocks simulate -m llama-3.1-8b -g h100 -p 500 -o 250 --rate 20 --requests 10k --slo-ttft '200 ms' --slo-tpot '40 ms'
  A benchmark run with 64 requests in flight, lengths spread as the tool spreads them:
    twoclocks simulate -m llama-3.1-8b -g h100 -c 64 --prompt-lengths uniform:800..1000 --output-lengths uniform:200..250
  Conversations of five turns on four replicas, routed to where their context is cached:
    twoclocks simulate -m llama-3.1-8b -g h100 --replicas 4 --rate 2 --arrivals sessions --think '10 s' --router prefix-aware
  A trace:
    twoclocks simulate -m llama-3.1-8b -g h100 --trace mooncake_trace.jsonl`;

export const simulateCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: { ...scenarioOptions, ...simulationOptions, ...outputOptions },
  epilogue,
  run,
};

async function run(given: Given, { catalog, colour, version }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario, own, notes: ofScenario } = await readScenario(given, catalog);
  checkScenario(scenario);
  const spec = await readSpec(given, scenario);
  const { result, said } = await runSpec(scenario, spec);
  const notes = [...ofScenario, ...said];
  switch (format) {
    case 'text': {
      const { simulateText } = await import('../../present/simulate-text.ts');
      const lines = notes.map((note) => `Note: ${plainText(note)}\n`).join('');
      return {
        output: lines + simulateText(scenario.deployment, result, colour ? terminalPaint : plainPaint),
        code: 0,
      };
    }
    case 'json': {
      const { simulatedFigures, simulateJson } = await import('../simulate-json.ts');
      const receipt = makeReceipt(scenario, own, version, simulatedFigures(result));
      return { output: simulateJson(result, notes, spec, receipt), code: 0 };
    }
    case 'csv':
    case 'md': {
      const { simulateRows } = await import('../../present/simulate-rows.ts');
      const { tableCsv, tableMarkdown } = await import('../../present/table-text.ts');
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(simulateRows(result)), code: 0 };
    }
  }
}

async function readSpec(given: Given, scenario: Scenario): Promise<SimulationSpec> {
  const { workload, seed } = await readSimulation(given, scenario);
  const path = given.text['trace'];
  if (path === undefined) return { seed, workload };
  const isUnsaid = given.text['warm-up'] === undefined;
  return {
    seed,
    workload: { ...workload, warmUp: isUnsaid ? 'none' : workload.warmUp },
    trace: await traceOf(path, given.flags.has('skip-bad')),
  };
}
