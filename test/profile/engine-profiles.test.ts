import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Engine, EngineRelease } from '../../src/profile/engine.ts';
import { findRelease } from '../../src/profile/find-release.ts';
import { readEngine } from '../../src/profile/read-engine.ts';

const folder = new URL('../../engine-profiles/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const engines: ReadonlyMap<string, Engine> = new Map(
  files.map((name) => [
    name.replace('.json', ''),
    readEngine(JSON.parse(readFileSync(new URL(name, folder), 'utf8')), name),
  ]),
);

const release = (name: string, version: string): EngineRelease => {
  const engine = engines.get(name);
  const found = engine && findRelease(engine, version);
  if (found === undefined) throw new Error(`no ${name} ${version}`);
  return found;
};

describe('engine profiles', () => {
  it('are named as their files and share no name', () => {
    for (const [file, { name }] of engines) expect(name).toBe(file);
    const names = [...engines.values()].flatMap(({ name, aliases }) => aliases.concat(name));
    expect(new Set(names).size).toBe(names.length);
  });

  it('hold the engines that benchmarks are run with', () => {
    expect([...engines.keys()]).toEqual(
      expect.arrayContaining(['vllm', 'sglang', 'trt-llm', 'llama.cpp', 'transformers', 'mlx', 'none']),
    );
  });

  it('cite every overhead', () => {
    for (const { name, releases } of engines.values()) {
      for (const { overhead } of releases) expect(overhead.citations.length > 0 || name === 'none').toBe(true);
    }
  });

  it('give bare hardware no cost at all', () => {
    const { overhead, memory, scheduling } = release('none', '1');
    expect(overhead).toEqual({ step: 0, layer: 0, sequence: 0, stream: 0, request: 0, launch: 0, citations: [] });
    expect(memory).toMatchObject({ fraction: 1, reserve: 0, bytesPerLogit: 0 });
    expect(scheduling).toMatchObject({ tokenBudget: [], maxSequences: [] });
  });

  // Defaults of the API server as vllm/engine/arg_utils.py has them at each version.
  it('know what changed in vLLM and when', () => {
    expect(release('vllm', '0.6.6').scheduling).toMatchObject({
      policy: 'prefill-first',
      prefixCache: false,
      schedulesAhead: false,
    });
    expect(release('vllm', '0.8.5').scheduling).toMatchObject({
      policy: 'mixed',
      prefixCache: true,
      tokenBudget: [
        { memory: 70 * 2 ** 30, except: [], value: 8192 },
        { memory: 0, except: [], value: 2048 },
      ],
    });
    expect(release('vllm', '0.11.0').scheduling.maxSequences).toEqual([
      { memory: 70 * 2 ** 30, except: ['ampere'], value: 1024 },
      { memory: 0, except: [], value: 256 },
    ]);
    expect(release('vllm', '0.13.0').scheduling.schedulesAhead).toBe(false);
    expect(release('vllm', '0.15.1').scheduling.schedulesAhead).toBe(true);
    expect(release('vllm', '0.15.1').memory.fraction).toBe(0.9);
    expect(release('vllm', '0.23.0').memory.fraction).toBe(0.92);
    expect(release('vllm', '0.27.0').scheduling.tokenBudget[0]).toEqual({
      memory: 160 * 2 ** 30,
      except: [],
      value: 16_384,
    });
  });

  // 9 operators in each of 28 layers at 90 us: 22.7 ms a token; Qwen2.5-7B GPTQ was measured at 1 / 43.1 = 23.2 ms.
  it('let eager launches explain the speed of transformers', () => {
    const { launch, step } = release('transformers', '4.46').overhead;
    expect(28 * 9 * launch + step).toBeGreaterThan(0.9 / 43.1);
    expect(28 * 9 * launch + step).toBeLessThan(1.1 / 43.1);
    expect(64 * 9 * launch + step).toBeGreaterThan(0.9 / 19.2);
    expect(64 * 9 * launch + step).toBeLessThan(1.1 / 19.2);
  });

  // TensorRT-LLM 0.11 is known as NIM's back end, whose server adds to each step; 0.5 as a bare static session.
  it('make newer releases of one engine no slower on the host, but for the server around TensorRT-LLM 0.11', () => {
    for (const { name, releases } of engines.values()) {
      if (name === 'trt-llm') continue;
      for (const [index, { overhead }] of releases.entries()) {
        expect(overhead.step).toBeLessThanOrEqual(releases[index - 1]?.overhead.step ?? Infinity);
      }
    }
  });
});
