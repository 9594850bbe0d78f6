import { setTimeout as pause } from 'node:timers/promises';
import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { diagnose } from '../../measured/diagnose.ts';
import { scrapeWindow } from '../../measured/scrape-window.ts';
import { targetPresets } from '../../measured/targets.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { watchText } from '../../present/watch-text.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { shown } from '../messages.ts';
import { jsonText } from '../output-format.ts';
import { readCount } from '../read-number.ts';
import { assumedLengths, deploymentOptions, readDeployment } from '../read-runs.ts';
import { readSeconds } from '../read-seconds.ts';
import { scrape } from '../scrape.ts';

const group = 'Watching';

export const watchCommand: Command = {
  positionals: '[url]',
  counts: [0, 1],
  options: {
    ...deploymentOptions,
    interval: { type: 'text', group, describe: 'time between two looks (5 s)' },
    count: { type: 'text', group, describe: 'looks, then end (until interrupted)' },
    use: { type: 'text', group, choices: targetPresets.map(({ name }) => name), describe: 'targets of a use (chat)' },
    remote: { type: 'flag', group, describe: 'allow a server that is not on this machine' },
    json: { type: 'flag', group: 'Output', describe: 'one JSON object a look' },
  },
  epilogue: `Reads /metrics of vLLM, SGLang or TGI and shows what happened since the look before. Nothing is
sent but GET requests, and only to this machine unless --remote is given.

Examples
  twoclocks watch
  twoclocks watch http://localhost:30000/metrics --interval '10 s' -m llama-3.1-8b -g h100`,
  run,
};

const usualAddress = 'http://127.0.0.1:8000/metrics';
const longestWait = 10_000;

/** Looks in a row without an answer after which a server that did answer is given up. */
const mostMisses = 5;

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const address = addressOf(given);
  const interval = (await readSeconds(given, 'interval')) ?? 5;
  if (!(interval >= 0.1 && interval <= 3600))
    throw new InputError(`--interval is ${interval} s; expected between 100 ms and 1 h.`);
  const count = given.text['count'] === undefined ? Infinity : readCount('count', given.text['count']);
  const targets = targetPresets.find(({ name }) => name === (given.text['use'] ?? 'chat'));
  if (targets === undefined) throw new InputError('--use is not known.');
  const deployment = await readDeployment(given, catalog);
  const assumed = assumedLengths(given);
  const paint = colour ? terminalPaint : plainPaint;
  let before: { readonly runs: readonly BenchmarkRun[]; readonly at: number } | undefined;
  let last = '';
  let misses = 0;
  for (let look = 0; look < count; look++) {
    let runs: readonly BenchmarkRun[];
    try {
      ({ runs } = await scrape(address, longestWait));
    } catch (error) {
      misses += 1;
      // A server that restarts comes back; one that never answered is another address.
      if (before === undefined || misses >= mostMisses || look + 1 >= count) throw error;
      process.stderr.write(`twoclocks: ${messageOf(error)} Looking again in ${interval} s.\n`);
      await pause(interval * 1e3);
      continue;
    }
    misses = 0;
    const now = { runs, at: performance.now() };
    const windows = now.runs.map((after) => {
      const earlier = before?.runs.find(
        ({ tool, setting }) => tool === after.tool && setting.model === after.setting.model,
      );
      return before === undefined || earlier === undefined
        ? after
        : (scrapeWindow(earlier, after, (now.at - before.at) / 1e3) ?? after);
    });
    const diagnoses = diagnose(windows, { targets, assumed, ...(deployment === undefined ? {} : { deployment }) });
    last = given.flags.has('json')
      ? jsonText({ schema: 'twoclocks/watch@1', windows: windows.map(({ notes: _notes, ...each }) => each), diagnoses })
      : watchText(windows, diagnoses, targets, before !== undefined, paint);
    before = now;
    // Live, look by look; the last one is the outcome.
    if (look + 1 < count) {
      process.stdout.write(last);
      await pause(interval * 1e3);
    }
  }
  return { output: last, code: 0 };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'the look failed.');

function addressOf({ positionals, flags }: Given): URL {
  const [written = usualAddress] = positionals;
  let address: URL;
  try {
    address = new URL(/^https?:/.test(written) ? written : `http://${written}`);
  } catch {
    throw new InputError(`${shown(written)} is no address; expected one such as '${usualAddress}'.`);
  }
  if (address.username !== '' || address.password !== '') {
    throw new InputError('the address holds a user name or password; watch sends none.');
  }
  if (address.pathname === '/' || address.pathname === '') address.pathname = '/metrics';
  const local = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(address.hostname);
  if (!local && !flags.has('remote')) {
    throw new InputError(`${shown(address.hostname)} is not this machine; give --remote to allow that.`);
  }
  return address;
}
