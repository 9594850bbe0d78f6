import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { scrape } from '../../src/cli/scrape.ts';
import { readBenchmark } from '../../src/exchange/benchmark/read-benchmark.ts';
import { scrapeWindow } from '../../src/measured/scrape-window.ts';
import { sglangMetrics, tgiMetrics } from '../support/benchmark-other-writers.ts';
import { vllmMetrics } from '../support/benchmark-server-writers.ts';
import { facts } from '../support/benchmark-writers.ts';
import { run } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine that answers so; its address. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

const refusal = async (url: string): Promise<string | undefined> =>
  (await run(['watch', url, '--count', '1'], toyCatalog)).error;

describe('servers that do well', () => {
  it.each([
    ['vLLM', vllmMetrics(), 'acme/Tiny-8B'],
    ['SGLang', sglangMetrics(), 'acme/Tiny-8B'],
    ['TGI', tgiMetrics(), 'tgi'],
  ])('%s: both clocks', async (_, metrics, name) => {
    const url = await serving((_request, response) => response.end(metrics));
    const { output = '', code } = await run(['watch', url, '--count', '1'], toyCatalog);
    expect(code).toBe(0);
    expect(output).toContain(`${name}, since the server started:`);
    expect(output).toMatch(/TTFT .*180 ms/);
    expect(output).toMatch(/TPOT .*12\.8 ms/);
  });

  it('asks by GET alone, and shows what happened since the look before', async () => {
    const asked: string[] = [];
    // 240 requests of 180 ms before; 240 more of 420 ms: 420 ms since then, 300 ms over all.
    const url = await serving((request, response) => {
      asked.push(request.method ?? '');
      response.end(
        asked.length === 1
          ? vllmMetrics()
          : vllmMetrics({ ...facts, requests: 480, ttft: { ...facts.ttft, mean: 0.3 } }).replaceAll(
              /(time_to_first_token_seconds_bucket\{engine="0",le="0\.25".*\}) 0\.0/g,
              '$1 240.0',
            ),
      );
    });
    const { output = '' } = await run(['watch', url, '--count', '2', '--interval', '100 ms'], toyCatalog);
    expect(asked).toEqual(['GET', 'GET']);
    expect(output).toContain('last ');
    expect(output).toMatch(/TTFT .*420 ms/);
  });

  it('says so where nothing was finished between two looks', async () => {
    const url = await serving((_request, response) => response.end(vllmMetrics()));
    const { output = '' } = await run(['watch', url, '--count', '2', '--interval', '100 ms'], toyCatalog);
    expect(output).toMatch(/\n {2}No request was finished in this time\.\n$/);
  });

  it('goes on over a look without an answer', async () => {
    let looks = 0;
    const url = await serving((request, response) => {
      looks += 1;
      if (looks === 2) request.socket.destroy();
      else response.end(vllmMetrics());
    });
    const { code, output } = await run(['watch', url, '--count', '3', '--interval', '100 ms'], toyCatalog);
    expect(looks).toBe(3);
    expect(code).toBe(0);
    expect(output).toContain('acme/Tiny-8B');
  });

  it('gives up on a server that is gone', async () => {
    let looks = 0;
    const url = await serving((request, response) => {
      looks += 1;
      if (looks > 1) request.socket.destroy();
      else response.end(vllmMetrics());
    });
    const { code, error } = await run(['watch', url, '--interval', '100 ms'], toyCatalog);
    expect(code).toBe(2);
    expect(looks).toBe(6);
    expect(error).toMatch(/^twoclocks: '.*' does not answer\.\n$/);
  });

  it("TGI's TTFT of a window is made of the window's parts", async () => {
    const [before, after] = await Promise.all(
      [
        tgiMetrics(),
        tgiMetrics()
          .replaceAll(/ 100$/gm, ' 200')
          .replaceAll(/_sum(.*) ([\d.]+)$/gm, '_sum$1 100'),
      ].map(async (text) => (await readBenchmark(text, 'f')).runs[0]),
    );
    if (before === undefined || after === undefined) throw new Error('no run');
    const window = scrapeWindow(before, after, 10);
    // Sums 100 - 1 of the queue and 100 - 17 of prefill over 100 more each: 0.99 + 0.83 s.
    expect(window?.clocks.ttft?.mean).toBeCloseTo(1.82, 9);
  });
});

describe('servers that do not', () => {
  it('a redirect is not followed', async () => {
    const asked: string[] = [];
    const other = await serving((_request, response) => {
      asked.push('other');
      response.end(vllmMetrics());
    });
    const url = await serving((_request, response) => response.writeHead(302, { location: other }).end());
    expect(await refusal(url)).toMatch(/redirects, which is not followed;/);
    expect(asked).toEqual([]);
  });

  it('an answer without end', async () => {
    const url = await serving((_request, response) => {
      response.write(vllmMetrics());
      const line = `# ${'x'.repeat(65_533)}\n`;
      const more = (): void => {
        while (!response.destroyed && response.write(line));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await refusal(url)).toMatch(/answers with more than 16 MB; expected metrics\.\n$/);
  });

  it('an answer that drips', async () => {
    const url = await serving((_request, response) => {
      const timer = setInterval(() => response.write('# x\n'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expect(scrape(new URL(url), 200)).rejects.toThrow(/did not finish its answer within 0\.2 s\.$/);
  });

  it('an answer that never begins', async () => {
    const url = await serving(() => undefined);
    await expect(scrape(new URL(url), 200)).rejects.toThrow(/did not finish its answer within 0\.2 s\.$/);
  });

  it('an answer that breaks off', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write(vllmMetrics());
      setTimeout(() => response.destroy(), 50);
    });
    expect(await refusal(url)).toMatch(/breaks off its answer\.\n$/);
  });

  it.each([
    ['a page', (): string => '<html>\u001b[31mwelcome</html>', /^twoclocks: 127\.0\.0\.1:\d+: no known benchmark/],
    ['nothing', (): string => '', /^twoclocks: 127\.0\.0\.1:\d+: the file is empty\.\n$/],
    ['metrics of something else', (): string => '# TYPE go_gc gauge\ngo_gc 1\n', /no known benchmark/],
  ])('%s', async (_, body, sentence) => {
    const url = await serving((_request, response) => response.end(body()));
    const error = await refusal(url);
    expect(error).toMatch(sentence);
    expect(error).not.toContain('\u001b');
  });

  it('an error', async () => {
    const url = await serving((_request, response) => response.writeHead(503).end('busy'));
    expect(await refusal(url)).toMatch(/answers with status 503\.\n$/);
  });

  it.each([
    ['http://10.1.2.3', "'10.1.2.3' is not this machine; give --remote to allow that."],
    ['http://localhost.example.org/', "'localhost.example.org' is not this machine; give --remote to allow that."],
    ['http://127.0.0.1.example.org/', "'127.0.0.1.example.org' is not this machine; give --remote to allow that."],
    ['http://0.0.0.0:8000', "'0.0.0.0' is not this machine; give --remote to allow that."],
    ['http://me:secret@127.0.0.1:8000', 'the address holds a user name or password; watch sends none.'],
    ['http://[', "'http://[' is no address; expected one such as 'http://127.0.0.1:8000/metrics'."],
    ['http://127.0.0.1:1', "'http://127.0.0.1:1/metrics' does not answer."],
  ])('%s', async (url, sentence) => {
    expect(await refusal(url)).toBe(`twoclocks: ${sentence}\n`);
  });
});
