import { bundledCatalog } from './catalog.ts';
import type { Outcome, Surroundings } from './command.ts';
import { complaint } from './input-error.ts';
import { main } from './main.ts';
import { fault, outputLost } from './messages.ts';
import { reasonOf } from './system-reason.ts';
import { version } from './version.ts';

/*
 * The process around the command: the only place that prints and sets an exit code.
 */

/** Colours only where a terminal reads and nobody asked for none (https://no-color.org). */
const colour = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';

// A reader such as `head` may leave before everything is written; that is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 2;
    if (stream === process.stdout) process.stderr.write(complaint(outputLost(reasonOf(error))));
  });
}

const surroundings: Surroundings = {
  version,
  catalog: bundledCatalog,
  colour,
  readInput: async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) if (chunk instanceof Uint8Array) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
};

try {
  print(await main(process.argv.slice(2), surroundings));
} catch (error) {
  process.stderr.write(complaint(fault(error instanceof Error ? (error.stack ?? error.message) : String(error))));
  process.exitCode = 3;
}

function print({ output, error, code }: Outcome): void {
  if (output !== undefined) process.stdout.write(output);
  if (error !== undefined) process.stderr.write(error);
  process.exitCode = code;
  // Nothing is left to be read by anybody: what a natural end would still collect and tear down is a tenth of a chart.
  if (output === '' && error === undefined) process.exit();
}
