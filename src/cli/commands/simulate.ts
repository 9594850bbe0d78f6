import { checkScenario } from '../../profile/check-scenario.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { plainText } from '../../present/plain-text.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { compile } from '../../serving/compiled.ts';
import type { SimulationResult } from '../../serving/simulate/simulation-result.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { runSimulation } from '../run-simulation.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';
import { readSimulation, simulationOptions } from '../simulate-options.ts';

const epilogue = `Every request is simulated by the engine's own scheduling rules; percentiles come from here, means also from 'estimate'.
Ctrl-C prints what is known so far.

Examples
  Percentiles at 20 requests/s, and how many keep two limits:
    twoclocks simulate -m llama-3.1-8b -g h100 -p 500 -o 250 --rate 20 --requests 10k --slo-ttft '200 ms' --slo-tpot '40 ms'
  A benchmark run with 64 requests in flight, lengths spread as the tool spreads them:
    twoclocks simulate -m llama-3.1-8b -g h100 -c 64 --prompt-lengths uniform:800..1000 --output-lengths uniform:200..250
  Conversations of five turns on four replicas, routed to where their context is cached:
    twoclocks simulate -m llama-3.1-8b -g h100 --replicas 4 --rate 2 --arrivals sessions --think 10 --router prefix-aware
  A trace:
    twoclocks simulate -m llama-3.1-8b -g h100 --trace mooncake_trace.jsonl`;

export const simulateCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: { ...scenarioOptions, ...simulationOptions, ...outputOptions },
  epilogue,
  run,
};

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario, notes } = await readScenario(given, catalog);
  checkScenario(scenario);
  const { result, said } = await simulated(given, scenario);
  switch (format) {
    case 'text': {
      const { simulateText } = await import('../../present/simulate-text.ts');
      const lines = [...notes, ...said].map((note) => `Note: ${plainText(note)}\n`).join('');
      return {
        output: lines + simulateText(scenario.deployment, result, colour ? terminalPaint : plainPaint),
        code: 0,
      };
    }
    case 'json':
      return { output: jsonText({ schema: 'twoclocks/simulate@1', ...result, notes: [...notes, ...said] }), code: 0 };
    case 'csv':
    case 'md': {
      const { simulateRows } = await import('../../present/simulate-rows.ts');
      const { tableCsv, tableMarkdown } = await import('../../present/table-text.ts');
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(simulateRows(result)), code: 0 };
    }
  }
}

async function simulated(
  given: Given,
  scenario: Scenario,
): Promise<{ readonly result: SimulationResult; readonly said: readonly string[] }> {
  const compiled = compile(scenario.deployment, scenario.grade);
  const { workload, seed } = await readSimulation(given, scenario.workload);
  const path = given.text['trace'];
  const { startRun, startSimulation } = await import('../../serving/simulate/simulate.ts');
  if (path === undefined) {
    const simulation = startSimulation(compiled, workload, seed);
    await runSimulation(simulation);
    return { result: simulation.result(), said: [] };
  }
  const [{ openTrace }, { TraceSource }] = await Promise.all([
    import('../../exchange/trace/open-trace.ts'),
    import('../../serving/simulate/trace-source.ts'),
  ]);
  const file = openedTrace(() => openTrace(path, { skipBad: given.flags.has('skip-bad') }), path);
  const source = new TraceSource();
  const { router, objectives, warmUp } = workload;
  const simulation = startRun(compiled, source, {
    router,
    hot: 0,
    shares: true,
    objectives,
    warmUp: given.text['warm-up'] === undefined ? 'none' : warmUp,
    isOpen: true,
    seed,
    rules: {},
  });
  await runSimulation(simulation, { file, source });
  const { count, reasons } = file.skipped();
  return {
    result: simulation.result(),
    said: count === 0 ? [] : [`${count} bad lines of the trace were left out, such as: ${reasons.join(' ')}`],
  };
}

/** A file that is not there is wrong input, not a fault of the program. */
function openedTrace<T>(open: () => T, path: string): T {
  try {
    return open();
  } catch (error) {
    throw new InputError(
      `--trace: '${path}' cannot be read: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'}.`,
    );
  }
}
