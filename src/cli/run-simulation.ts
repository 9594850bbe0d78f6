import type { TraceFile } from '../exchange/trace/open-trace.ts';
import type { Simulation } from '../serving/simulate/simulate.ts';
import type { TraceSource } from '../serving/simulate/trace-source.ts';

/** Events between two looks at the clock and at what was pressed. */
const eventsAtOnce = 20_000;

/** Milliseconds between two pictures of the bar. */
const barEvery = 200;
const barWidth = 30;

/** A trace that feeds a simulation. */
export interface Feed {
  readonly file: TraceFile;
  readonly source: TraceSource;
}

/**
 * Runs a simulation to its end, or until Ctrl-C, which leaves what is known so far. Shows a bar with the time left
 * on a terminal. Returns whether it was stopped.
 */
export async function runSimulation(simulation: Simulation, feed?: Feed): Promise<boolean> {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
  };
  process.once('SIGINT', stop);
  const bar = progressBar(() => feed?.file.read() ?? simulation.progress());
  try {
    for (;;) {
      const state = simulation.advance(eventsAtOnce);
      if (state === 'done' || stopped) return stopped;
      if (state === 'hungry' && feed !== undefined) {
        const piece = await feed.file.requests.next();
        if (piece.done === true) feed.source.end();
        else feed.source.feed(piece.value);
      }
      bar.draw();
      // Signals are heard between two turns of the event loop.
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  } finally {
    bar.clear();
    process.removeListener('SIGINT', stop);
  }
}

function progressBar(share: () => number): { readonly draw: () => void; readonly clear: () => void } {
  if (!process.stderr.isTTY) return { draw: () => {}, clear: () => {} };
  const begun = Date.now();
  let drawn = begun;
  let isShown = false;
  return {
    draw: () => {
      const now = Date.now();
      if (now - drawn < barEvery) return;
      drawn = now;
      isShown = true;
      const done = Math.min(1, Math.max(1e-6, share()));
      const left = Math.ceil(((now - begun) / 1000) * (1 / done - 1));
      const full = Math.round(done * barWidth);
      const eta = left < 86_400 ? `, ${left} s left` : '';
      process.stderr.write(
        `\r[${'='.repeat(full)}${' '.repeat(barWidth - full)}] ${Math.floor(done * 100)} %${eta}   `,
      );
    },
    clear: () => {
      if (isShown) process.stderr.write(`\r${' '.repeat(barWidth + 40)}\r`);
    },
  };
}
