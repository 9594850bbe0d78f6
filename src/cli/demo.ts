import type { Outcome, Surroundings } from './command.ts';
export const demo = async (_: Surroundings): Promise<Outcome> => Promise.resolve({ output: '', code: 0 });
