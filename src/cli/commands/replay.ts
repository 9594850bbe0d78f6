import type { Command, Outcome } from '../command.ts';
export const replayCommand: Command = {
  positionals: '',
  counts: [1, 1],
  options: {},
  epilogue: '',
  run: () => Promise.resolve<Outcome>({ code: 0 }),
};
