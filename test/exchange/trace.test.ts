import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hitCounter } from '../../src/exchange/trace/hit-rate.ts';
import { TraceError } from '../../src/exchange/trace/messages.ts';
import { openTrace } from '../../src/exchange/trace/open-trace.ts';
import { readTrace, type TraceReader } from '../../src/exchange/trace/read-trace.ts';
import type { TracedRequest } from '../../src/profile/traced-request.ts';
import { runs } from '../support/thorough.ts';

/** Text in pieces of so many characters, as a stream gives it. */
async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

const reader = (text: string, skipBad = false, size = 7): TraceReader =>
  readTrace(piecesOf(text, size), { where: 'trace', skipBad });

async function all({ requests }: Pick<TraceReader, 'requests'>): Promise<readonly TracedRequest[]> {
  const rows: TracedRequest[] = [];
  for await (const piece of requests) rows.push(...piece);
  return rows;
}

const faultOf = async (text: string): Promise<string> => {
  try {
    await all(reader(text));
  } catch (error) {
    if (error instanceof TraceError) return error.message;
    throw error;
  }
  return 'no fault';
};

/* Two requests, a second and a half apart: 4,808 and 110 tokens of prompt, 10 and 27 of answer. */
const expected: readonly TracedRequest[] = [
  { arrival: 0, prompt: 4808, output: 10 },
  { arrival: 1.5, prompt: 110, output: 27 },
];

const files: Readonly<Record<string, string>> = {
  azure:
    'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n2023-11-16 18:17:05.4799600,110,27\n',
  'azure 2024':
    'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2024-05-10 00:00:00.009930+00:00,4808,10\r\n2024-05-10 00:00:01.509930+00:00,110,27\r\n',
  'azure 2025':
    'TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2025-04-01 00:00:01.000,1,4808,10\n2025-04-01 00:00:02.500,0,110,27',
  burstgpt:
    'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,4808,10,4818,Conversation log\n6.5,"GPT-4",110,27,137,API log\n',
  'burstgpt with sessions':
    'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,1,2.1,ChatGPT,4808,10,4818,Conversation log\n6.5,2,0.4,GPT-4,110,27,137,API log\n',
  vidur: 'arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,4808,10\n1.5,110,27\n',
  splitwise:
    'request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n0,2,0,0.0,1,4808,10\n1,2,0,1.5,1,110,27\n',
  plain: 'arrival,prompt,output\n0,4808,10\n1.5,110,27\n',
  mooncake:
    '{"timestamp": 27, "input_length": 4808, "output_length": 10}\n{"timestamp": 1527, "input_length": 110, "output_length": 27}\n',
};

describe('traces', () => {
  it.each(Object.entries(files))('reads %s', async (name, text) => {
    const opened = reader(text);
    const rows = await all(opened);
    expect(rows).toHaveLength(2);
    for (const [index, row] of rows.entries()) {
      expect(row.arrival).toBeCloseTo(expected[index]?.arrival ?? 0, 6);
      expect(row).toMatchObject({ prompt: expected[index]?.prompt, output: expected[index]?.output });
    }
    expect(name.startsWith(opened.format() ?? 'none')).toBe(true);
  });

  it('reads the same whatever the pieces are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 99 })),
          { minLength: 1, maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 50 }),
        async (list, size) => {
          let time = 0;
          const rows = list.map(([gap, prompt, output]) => ({ arrival: (time += gap), prompt, output }));
          const text = `arrival,prompt,output\n${rows.map(({ arrival, prompt, output }) => `${arrival},${prompt},${output}\n`).join('')}`;
          const first = rows[0]?.arrival ?? 0;
          expect(await all(reader(text, false, size))).toEqual(
            rows.map((row) => ({ ...row, arrival: row.arrival - first })),
          );
        },
      ),
      runs(100),
    );
  });

  /* Blocks of 512: the second prompt of 1,100 tokens begins with the two blocks of the first; 1,024 tokens are found. */
  it('names the parts of Mooncake prompts, and counts what a cache that forgets nothing would find', async () => {
    const text =
      '{"timestamp":0,"input_length":1024,"output_length":5,"hash_ids":[1,2]}\n{"timestamp":10,"input_length":1100,"output_length":5,"hash_ids":[1,2,3]}\n{"timestamp":20,"input_length":600,"output_length":5,"hash_ids":[9,2]}\n';
    const rows = await all(reader(text));
    expect(rows[1]?.parts).toEqual([
      { key: 1, end: 512 },
      { key: 2, end: 1024 },
      { key: 3, end: 1100 },
    ]);
    const { add, hits } = hitCounter();
    add(rows);
    expect(hits).toEqual({ promptTokens: 1024 + 1100 + 600, hitTokens: 1024 });
  });

  it('reads files, compressed too, and says how far it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trace-'));
    try {
      const path = join(folder, 'trace.csv');
      writeFileSync(path, files['plain'] ?? '');
      const file = openTrace(path, { skipBad: false });
      expect(await all(file)).toEqual(expected);
      expect(file.read()).toBe(1);
      writeFileSync(`${path}.gz`, gzipSync(files['plain'] ?? ''));
      expect(await all(openTrace(`${path}.gz`, { skipBad: false }))).toEqual(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('traces that are not what they should be', () => {
  const plain = (line: string): string => `arrival,prompt,output\n0,10,5\n${line}\n3,10,5\n`;

  it.each([
    ['', 'trace: the trace has no requests; expected a header line and one line per request.'],
    ['arrival,prompt,output\n', 'trace: the trace has no requests; expected a header line and one line per request.'],
    [
      'time,tokens\n1,2\n',
      "trace: line 1 is 'time,tokens'; expected the header of an Azure, BurstGPT, Vidur or splitwise trace, 'arrival,prompt,output' (seconds and tokens), or Mooncake's JSON lines.",
    ],
    [plain('1,10'), 'trace: line 3 has 2 fields; expected 3 as in the header.'],
    [plain('1,-10,5'), "trace: line 3, column prompt is '-10'; expected a whole number of tokens, at least 1."],
    [plain('1,10,0'), "trace: line 3, column output is '0'; expected a whole number of tokens, at least 1."],
    [plain('1,10,NaN'), "trace: line 3, column output is 'NaN'; expected a whole number of tokens, at least 1."],
    [plain('later,10,5'), "trace: line 3, column arrival is 'later'; expected seconds, at least 0."],
    [plain('1,"10,5'), 'trace: line 3 has 1 fields; expected 3 as in the header.'],
    [
      'arrival,prompt,output\n5,10,5\n4.5,10,5\n',
      'trace: line 3 arrives 0.5 s before the line above it; expected times in order.',
    ],
    [
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-02-30 18:17:03,1,1\n',
      "trace: line 2, column TIMESTAMP is '2023-02-30 18:17:03'; expected a date such as '2023-11-16 18:17:03.9799600'.",
    ],
    [
      '{"timestamp":1,"input_length":10,"output_length":1}\n{broken\n',
      'trace: line 2 is not a JSON object; expected {"timestamp": ms, "input_length": n, "output_length": n, "hash_ids": [...]}.',
    ],
    [
      '{"timestamp":1,"input_length":1025,"output_length":1,"hash_ids":[1]}\n',
      'trace: line 1, hash_ids is 1 numbers for 1025 tokens; expected a list of whole numbers, one for each 512 tokens of the prompt.',
    ],
    [
      '{"timestamp":1,"output_length":1}\n',
      "trace: line 1, column input_length is 'missing'; expected a whole number of tokens, at least 1.",
    ],
  ])('%j', async (text, sentence) => {
    expect(await faultOf(text)).toBe(sentence);
  });

  it('refuses a line without an end before it fills the memory', async () => {
    expect(await faultOf(`arrival,prompt,output\n${'1'.repeat(1_200_000)}`)).toBe(
      'trace: line 2 has more than 1000000 characters; no trace has such a line.',
    );
  });

  it('leaves bad lines out where asked to, counts them, and says why', async () => {
    const opened = reader('arrival,prompt,output\n0,10,5\n1,-1,5\n0.5,20,5\nrubbish\n0.2,1,1\n2,30,5\n', true);
    expect((await all(opened)).map(({ prompt }) => prompt)).toEqual([10, 20, 30]);
    expect(opened.skipped().count).toBe(3);
    expect(opened.skipped().reasons[0]).toBe(
      "trace: line 3, column prompt is '-1'; expected a whole number of tokens, at least 1.",
    );
  });

  it('answers any text with requests or one sentence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('arrival,prompt,output\n', '{', ''),
        fc.string({ unit: 'binary', maxLength: 200 }),
        async (start, text) => {
          const said = await faultOf(start + text);
          expect(said.startsWith('trace: ') || said === 'no fault').toBe(true);
        },
      ),
      runs(300),
    );
  });
});
