import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checkpoint, Plan } from '@/server/core/plan/plan';
import { LaunchError } from '@/workers/drivers/launch-error';
import { prepareCheckpoints } from '@/workers/embedded/checkpoints';
import { type EngineClient, MODELS, scoreText, startEngine, TARGET } from './engine-client';

const TEXT = readFileSync(path.join(MODELS, 'heldout.txt'), 'utf8').slice(40_000, 41_500);
const SHARED = '--ctx-size 512 --flash-attn on'.split(' ');
const signal = new AbortController().signal;

let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'quantize-test-'));
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

const checkpoint = (type: string, scope: Checkpoint['scope'] = 'target'): Checkpoint => ({
  scope,
  model: 'inferloom-demo',
  repo: scope === 'draft' ? 'bundled:inferloom-demo-draft' : 'bundled:inferloom-demo',
  revision: null,
  format: `gguf:${type}`,
  source: 'recipe',
  recipe: { tool: 'llama-quantize', fromFormat: 'gguf:F16', toType: type },
  fileName: `x-${type}.gguf`,
  nodeId: 'weights',
});

const prepare = (checkpoints: Checkpoint[], log: string[] = []): Promise<Record<string, string>> =>
  prepareCheckpoints(checkpoints, { cacheDir, log: (line) => log.push(line), signal });

const asks = (asked: unknown): Plan['settings'][string] => ({
  asked,
  default: null,
  defaultSource: null,
  origin: 'node',
  field: null,
});

async function withEngine<T>(
  model: string,
  flags: string[],
  settings: Plan['settings'],
  use: (engine: EngineClient) => Promise<T>,
): Promise<T> {
  const engine = await startEngine([...SHARED, ...flags], { model, settings });
  try {
    return await use(engine);
  } finally {
    await engine.stop();
  }
}

/** Mean KL divergence of `q` from `p` over rows of log-probabilities, in nats. */
function meanKl(p: readonly Float32Array[], q: readonly Float32Array[]): number {
  const rows = p.map((row, i) => row.reduce((sum, lp, token) => sum + Math.exp(lp) * (lp - (q[i]?.[token] ?? 0)), 0));
  return rows.reduce((a, b) => a + b, 0) / rows.length;
}

describe('quantized checkpoints', () => {
  it('are made once, cached by content, and leave no half-written file', async () => {
    const log: string[] = [];
    const { target = '' } = await prepare([checkpoint('Q4_0')], log);
    expect(statSync(target).size).toBeLessThan(statSync(TARGET).size / 2);
    await utimes(target, 1, 1);
    expect(await prepare([checkpoint('Q4_0')], log)).toEqual({ target });
    expect(statSync(target).mtimeMs).toBe(1000);
    expect(log.at(-1)).toContain('is in the cache');
    expect((await readdir(cacheDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('lose more the fewer bits they have: KL of Q4_K_M is above that of Q8_0', async () => {
    const files = {
      Q8_0: (await prepare([checkpoint('Q8_0')])).target,
      Q4_K_M: (await prepare([checkpoint('Q4_K_M')])).target,
    };
    const rows = (engine: EngineClient) => scoreText(engine, TEXT);
    const base = await withEngine(TARGET, [], {}, async (engine) => {
      const first = await rows(engine);
      expect(meanKl(first, await rows(engine))).toBeLessThan(1e-6);
      return first;
    });
    const small = meanKl(base, await withEngine(files.Q8_0 ?? '', [], {}, rows));
    const large = meanKl(base, await withEngine(files.Q4_K_M ?? '', [], {}, rows));
    expect(small).toBeGreaterThan(0);
    expect(large).toBeGreaterThan(3 * small);
  });

  it('refuse formats and places that this engine cannot take', async () => {
    await expect(prepare([{ ...checkpoint('Q8_0'), format: 'safetensors:bf16' }])).rejects.toThrow(/reads GGUF/);
    await expect(prepare([checkpoint('IQ2_XXS')])).rejects.toThrow(/IQ2_XXS cannot be made here/);
    await expect(prepare([{ ...checkpoint('Q8_0'), repo: 'meta-llama/Llama-3.1-8B' }])).rejects.toThrow(
      /downloads nothing/,
    );
    await expect(prepare([{ ...checkpoint('F16'), repo: '/nowhere/x.gguf' }])).rejects.toThrow(/no file/);
    await expect(prepare([{ ...checkpoint('F16'), repo: 'bundled:../x' }])).rejects.toThrow(/not a name/);
  });
});

describe('effective configuration', () => {
  it('shows fallback types of a draft whose rows do not divide by 256, and a forced KV type, as changed', async () => {
    const files = await prepare([checkpoint('Q4_K_M'), checkpoint('Q4_K_M', 'draft')]);
    const settings = {
      weightsFormat: asks('gguf:Q4_K_M'),
      'draft.weightsFormat': asks('gguf:Q4_K_M'),
      kvCacheKeyType: asks('Q8_0'),
      kvCacheValueType: asks('Q8_0'),
      flashAttention: asks('on'),
      maxSequences: asks(1),
      threads: asks(1),
    };
    const forced = ['--cache-type-k', 'q4_0', '--cache-type-v', 'q8_0', '--model-draft', files.draft ?? ''];
    const rows = await withEngine(files.target ?? '', forced, settings, (engine) => engine.readEffective());
    const states = Object.fromEntries(rows.map((r) => [r.setting, r.state]));
    expect(states).toEqual({
      weightsFormat: 'applied',
      'draft.weightsFormat': 'changed',
      kvCacheKeyType: 'changed',
      kvCacheValueType: 'applied',
      flashAttention: 'applied',
      maxSequences: 'applied',
      threads: 'applied',
    });
    expect(rows.find((r) => r.setting === 'kvCacheKeyType')).toMatchObject({ got: 'Q4_0', nodeId: 'node' });
    expect(String(rows.find((r) => r.setting === 'draft.weightsFormat')?.got)).toMatch(
      /15 of 15 matrices as Q5_0, Q8_0: rows of 128, 384/,
    );
  });

  it('keeps sinks while the window slides, beyond the context length', async () => {
    const settings = { sinkTokens: asks(4), contextTokensPerSequence: asks(256) };
    await withEngine(TARGET, ['--ctx-size', '256', '--keep', '4', '--context-shift'], settings, async (engine) => {
      const { usage } = await engine.complete({ prompt: TEXT.slice(0, 300), max_tokens: 400, ignore_eos: true });
      expect(usage.completion_tokens).toBe(400);
      expect((await engine.counters()).contextShifts).toBeGreaterThan(1);
      expect((await engine.readEffective()).map((r) => [r.setting, r.got, r.state])).toEqual([
        ['sinkTokens', 4, 'applied'],
        ['contextTokensPerSequence', 256, 'applied'],
      ]);
    });
  });
});

describe('a start that fails', () => {
  const failure = (flags: string[], model = TARGET): Promise<unknown> =>
    startEngine([...SHARED, ...flags], { model }).then(
      (engine) => engine.stop().then(() => 'started'),
      (error: unknown) => error,
    );

  it('says which argument it refuses', async () => {
    const error = await failure(['--cache-type-k', 'i8']);
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ code: 'engine-refused-arguments' });
    expect(String(error)).toContain('--cache-type-k');
  });

  it('repeats llama.cpp’s reason, for a broken file and for a quantized V cache without flash attention', async () => {
    const broken = await failure([], path.join(MODELS, 'README.md'));
    expect(broken).toMatchObject({ code: 'engine-exited' });
    expect(String(broken)).toMatch(/README\.md/);
    const noFlash = await failure(['--flash-attn', 'off', '--cache-type-v', 'q8_0']);
    expect(String(noFlash)).toMatch(/flash/i);
  });
});
