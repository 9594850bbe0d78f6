import yargs from 'yargs';
import { parserConfiguration } from './parse-arguments.ts';

/** A parser without any output, locale or exit of its own. */
export const quietYargs = (words: readonly string[]): ReturnType<typeof yargs> =>
  yargs([...words])
    .scriptName('twoclocks')
    .parserConfiguration(parserConfiguration)
    .detectLocale(false)
    .exitProcess(false)
    .showHelpOnFail(false);
