import type { Command } from './command.ts';
import { estimateCommand } from './commands/estimate.ts';

/** A command as the overall help lists it; its own file is loaded only where it is asked for. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Heading in the help. */
  readonly group: string;
  readonly load: () => Promise<Command>;
}

const predict = 'Predict';
const decide = 'Decide';
const plan = 'Documents';
const profiles = 'Profiles';
const measure = 'Your measurements';
const proof = 'Proof';

/** Every command, in the order of the help. A new one is an entry here and a file under commands/. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'estimate',
    group: predict,
    summary: 'both clocks of a deployment, what they are spent on, and what fits',
    // Started most often, so part of the file that starts.
    load: () => Promise.resolve(estimateCommand),
  },
  {
    name: 'simulate',
    group: predict,
    summary: 'percentiles under load: every request by the rules of the engine, or a trace',
    load: async () => (await import('./commands/simulate.ts')).simulateCommand,
  },
  {
    name: 'whatif',
    group: decide,
    summary: 'which clock a change would move, by how much, and what limits it then',
    load: async () => (await import('./commands/whatif.ts')).whatIfCommand,
  },
  {
    name: 'advise',
    group: decide,
    summary: 'every lever that applies, ranked by each clock, and what each costs elsewhere',
    load: async () => (await import('./commands/advise.ts')).adviseCommand,
  },
  {
    name: 'elasticity',
    group: decide,
    summary: 'per cent that each clock changes per per cent of every rate, overhead and length',
    load: async () => (await import('./commands/elasticity.ts')).elasticityCommand,
  },
  {
    name: 'breakeven',
    group: decide,
    summary: 'where a lever stops helping, a clock changes its resource, a price tips',
    load: async () => (await import('./commands/breakeven.ts')).breakEvenCommand,
  },
  {
    name: 'design',
    group: decide,
    summary: 'the FLOP/s, bandwidth and capacity that would meet targets, and the nearest devices',
    load: async () => (await import('./commands/design.ts')).designCommand,
  },
  {
    name: 'waterfall',
    group: decide,
    summary: 'several levers in a row: what each does to each clock, in order and whatever the order',
    load: async () => (await import('./commands/waterfall.ts')).waterfallCommand,
  },
  {
    name: 'check',
    group: decide,
    summary: 'whether a claimed TTFT, TPOT or throughput is possible, with the inequality',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  {
    name: 'chart',
    group: plan,
    summary: 'a picture for a planning document: SVG, PNG, Vega-Lite or a page with tooltips',
    load: async () => (await import('./commands/chart.ts')).chartCommand,
  },
  {
    name: 'doctor',
    group: measure,
    summary: 'check benchmark results, metrics and logs before any figure is believed',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'diagnose',
    group: measure,
    summary: 'which clock of a run is broken, on what, and what to try first',
    load: async () => (await import('./commands/diagnose.ts')).diagnoseCommand,
  },
  {
    name: 'calibrate',
    group: measure,
    summary: 'learn a machine from a few rows: an overlay that every command takes',
    load: async () => (await import('./commands/calibrate.ts')).calibrateCommand,
  },
  {
    name: 'validate',
    group: measure,
    summary: 'predict measured rows and show how far off: by source, engine, device, model, and in pairs',
    load: async () => (await import('./commands/validate.ts')).validateCommand,
  },
  {
    name: 'watch',
    group: measure,
    summary: 'the live scorecard of a running server, read only',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  {
    name: 'define',
    group: measure,
    summary: 'what each tool means by TTFT, TPOT, throughput and other words',
    load: async () => (await import('./commands/define.ts')).defineCommand,
  },
  {
    name: 'report',
    group: plan,
    summary: 'a planning document: answer, numbers, charts, derivation, assumptions and sources',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'replay',
    group: proof,
    summary: 'compute the result of a receipt again and compare it to the last digit',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  {
    name: 'list',
    group: profiles,
    summary: 'the hardware, models or engines that are known by name',
    load: async () => (await import('./commands/list.ts')).listCommand,
  },
  {
    name: 'show',
    group: profiles,
    summary: 'one profile with units, sources and their dates',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'import',
    group: profiles,
    summary: 'a model profile from a config.json, its folder, or a GGUF file',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'lint',
    group: profiles,
    summary: 'check hardware profiles for the traps of published figures',
    load: async () => (await import('./commands/lint.ts')).lintCommand,
  },
];
