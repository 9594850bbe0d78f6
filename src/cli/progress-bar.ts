/** A bar on the error stream where a person watches it; nothing elsewhere. */
export interface ProgressBar {
  readonly show: (done: number) => void;
  readonly clear: () => void;
}

const width = 30;

export function progressBar(total: number): ProgressBar {
  if (!process.stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  let drawn = -1;
  return {
    show: (done) => {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (percent === drawn) return;
      drawn = percent;
      const full = Math.round((width * percent) / 100);
      process.stderr.write(`\r[${'#'.repeat(full)}${' '.repeat(width - full)}] ${percent} %`);
    },
    clear: () => {
      process.stderr.write(`\r${' '.repeat(width + 8)}\r`);
    },
  };
}
