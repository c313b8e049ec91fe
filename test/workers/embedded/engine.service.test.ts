import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Completion,
  divergenceGap,
  type EngineClient,
  MODELS,
  readEvents,
  scoreText,
  startEngine,
  until,
} from './engine-client';

const KEY = 'a-test-key';
const PROMPT = 'The state of the Union is';
const HELDOUT = readFileSync(path.join(MODELS, 'heldout.txt'), 'utf8');

let engine: EngineClient;
beforeAll(async () => {
  const flags = '--ctx-size 1024 --parallel 2 --queue-limit 1 --flash-attn on --ubatch-size 64 --alias demo'.split(' ');
  engine = await startEngine(flags, { apiKey: KEY });
});
afterAll(() => engine.stop());

const metric = async (name: string): Promise<number> => {
  const response = await fetch(`${engine.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } });
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(await response.text())?.[1]);
};

describe('completions', () => {
  it('gives text, usage and the reason it ended', async () => {
    const body = { model: 'demo', prompt: PROMPT, max_tokens: 12, temperature: 0, return_token_ids: true };
    const { choices, usage } = await engine.complete(body);
    expect(choices[0]).toMatchObject({ finish_reason: 'length' });
    expect(choices[0]?.token_ids).toHaveLength(12);
    expect(choices[0]?.text).toMatch(/^ \w+/);
    expect(usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 12, total_tokens: 18 });
  });

  it('streams the same text, then usage, then [DONE]', async () => {
    const body = { prompt: PROMPT, max_tokens: 12, temperature: 0 };
    const whole = await engine.complete(body);
    const stream = await engine.post('/v1/completions', {
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const events = await readEvents(stream);
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1).map((e) => JSON.parse(e) as Completion);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 12 } });
    const text = chunks.slice(0, -1).map((c) => c.choices[0]?.text);
    expect(text).toHaveLength(12);
    expect(text.join('')).toBe(whole.choices[0]?.text);
    expect(chunks.slice(0, -1).every((c) => c.usage === null)).toBe(true);
  });

  it('answers chats through the template of the model, whole and streamed', async () => {
    const body = { messages: [{ role: 'user', content: PROMPT }], max_tokens: 8, temperature: 0 };
    const whole = (await (await engine.post('/v1/chat/completions', body)).json()) as Completion;
    const events = await readEvents(await engine.post('/v1/chat/completions', { ...body, stream: true }));
    const deltas = events
      .slice(0, -1)
      .map((e) => (JSON.parse(e) as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content);
    expect(deltas.join('')).toBe(whole.choices[0]?.message?.content);
    expect(deltas.join('')).not.toBe('');
  });

  it('draws the same tokens for the same seed and others for another', async () => {
    const draw = async (seed: number) => {
      await engine.post('/inferloom/reset', {});
      return (await engine.complete({ prompt: PROMPT, max_tokens: 24, temperature: 1, seed })).choices[0]?.text;
    };
    expect(await draw(7)).toBe(await draw(7));
    expect(await draw(8)).not.toBe(await draw(7));
  });

  it('draws from the whole vocabulary without top_k, from the k likeliest tokens with it', async () => {
    const firstTokens = async (topK: number): Promise<number> => {
      const seen = new Set<number>();
      for (let seed = 0; seed < 60; seed++) {
        const body = { prompt: PROMPT, max_tokens: 1, temperature: 100, seed, top_k: topK, return_token_ids: true };
        seen.add((await engine.complete(body)).choices[0]?.token_ids[0] ?? -1);
      }
      return seen.size;
    };
    // At this temperature all 4,096 are about equally likely.
    expect(await firstTokens(0)).toBeGreaterThan(50);
    expect(await firstTokens(5)).toBe(5);
  });

  it('stops at a stop string, and only after min_tokens at an end token', async () => {
    const { choices } = await engine.complete({ prompt: PROMPT, max_tokens: 60, temperature: 0, stop: ['.'] });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(choices[0]?.text).not.toContain('.');
    const long = await engine.complete({ prompt: PROMPT, max_tokens: 80, temperature: 1.5, ignore_eos: true, seed: 3 });
    expect(long.usage.completion_tokens).toBe(80);
  });

  it('reads token ids and gives back their text', async () => {
    const { tokens } = (await (await engine.post('/tokenize', { content: PROMPT })).json()) as { tokens: number[] };
    expect(await (await engine.post('/detokenize', { tokens })).json()).toEqual({ content: PROMPT });
    const byText = await engine.complete({ prompt: PROMPT, max_tokens: 5, temperature: 0 });
    const byIds = await engine.complete({ prompt: tokens, max_tokens: 5, temperature: 0 });
    expect(byIds.choices[0]?.text).toBe(byText.choices[0]?.text);
  });
});

describe('prefix cache', () => {
  it('counts cached tokens, and none after a reset', async () => {
    const prompt = HELDOUT.slice(500, 1300);
    expect((await engine.post('/inferloom/reset', {})).ok).toBe(true);
    const cold = await engine.complete({ prompt, max_tokens: 4, temperature: 0 });
    const warm = await engine.complete({ prompt, max_tokens: 4, temperature: 0 });
    expect(cold.usage.prompt_tokens_details.cached_tokens).toBe(0);
    expect(warm.usage.prompt_tokens_details.cached_tokens).toBe(warm.usage.prompt_tokens - 1);
    expect(warm.choices[0]?.text).toBe(cold.choices[0]?.text);
    await engine.post('/inferloom/reset', {});
    expect(
      (await engine.complete({ prompt, max_tokens: 4, temperature: 0 })).usage.prompt_tokens_details.cached_tokens,
    ).toBe(0);
  });
});

describe('refusals', () => {
  it('wants the key everywhere but at /health', async () => {
    expect((await fetch(`${engine.url}/health`)).status).toBe(200);
    for (const route of ['/v1/models', '/metrics', '/inferloom/effective', '/nothing'])
      expect((await fetch(engine.url + route)).status, route).toBe(401);
    const wrong = await engine.post('/v1/completions', { prompt: 'x' }, { headers: { authorization: 'Bearer nope' } });
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('refuses what does not fit instead of cutting it', async () => {
    const long = await engine.post('/v1/completions', { prompt: HELDOUT.slice(0, 6000), max_tokens: 1 });
    expect(long.status).toBe(400);
    expect(await long.json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
    const output = await engine.post('/v1/completions', { prompt: PROMPT, max_tokens: 507 });
    expect(output.status).toBe(400);
    expect((await engine.post('/v1/completions', { prompt: PROMPT, max_tokens: 506, stop: ['a'] })).status).toBe(200);
  });

  it('names a parameter that it would not honour, a foreign model and a foreign token', async () => {
    const unknown = await engine.post('/v1/completions', { prompt: 'x', best_of: 3 });
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ error: { param: 'best_of' } });
    expect((await engine.post('/v1/completions', { prompt: 'x', model: 'other' })).status).toBe(404);
    expect((await engine.post('/v1/completions', { prompt: [999_999] })).status).toBe(400);
    expect((await engine.post('/v1/completions', { prompt: '' })).status).toBe(400);
  });

  it('answers 429 with Retry-After when slots and queue are full, and frees a slot when its client leaves', async () => {
    const leaving = new AbortController();
    const long = { prompt: PROMPT, max_tokens: 500, ignore_eos: true, stream: true };
    const streams = await Promise.all(
      [0, 1].map((i) =>
        engine.post(
          '/v1/completions',
          { ...long, prompt: `${i} ${PROMPT}`, max_tokens: 498 },
          { signal: leaving.signal, headers: { authorization: `Bearer ${KEY}` } },
        ),
      ),
    );
    const waiting = engine.complete({ prompt: PROMPT, max_tokens: 3 });
    await until(async () => (await metric('llamacpp:requests_deferred')) === 1);
    const refused = await engine.post('/v1/completions', { prompt: 'x', max_tokens: 1 });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'queue_full' } });
    const generatedBefore = (await engine.counters()).generated ?? 0;
    leaving.abort();
    await Promise.all(streams.map((s) => s.text().catch(() => null)));
    expect((await waiting).usage.completion_tokens).toBeGreaterThan(0);
    await until(async () => (await metric('llamacpp:requests_processing')) === 0);
    expect((await engine.counters()).generated ?? 0).toBeLessThan(generatedBefore + 900);
    expect(await metric('inferloom:requests_cancelled_total')).toBe(2);
    expect(await metric('inferloom:requests_rejected_total')).toBe(1);
  });
});

describe('batching', () => {
  it('decodes two streams in shared steps, with the same greedy text as alone', async () => {
    const prompts = [HELDOUT.slice(2000, 2200), HELDOUT.slice(9000, 9200)];
    const ask = (prompt: string) =>
      engine.complete({ prompt, max_tokens: 300, temperature: 0, ignore_eos: true, return_token_ids: true });
    const alone = [await ask(prompts[0] ?? ''), await ask(prompts[1] ?? '')];
    let together: Completion[] = [];
    let steps = Number.POSITIVE_INFINITY;
    // A busy machine may deliver the second request late; loops of their own would take 600 steps every time.
    for (let attempt = 0; attempt < 5 && steps >= 500; attempt++) {
      const before = await engine.counters();
      together = await Promise.all(prompts.map(ask));
      steps = ((await engine.counters()).decodeSteps ?? 0) - (before.decodeSteps ?? 0);
    }
    expect(steps).toBeLessThan(500);
    for (const [i, prompt] of prompts.entries()) {
      const [a, b] = [alone, together].map((all) => all[i]?.choices[0]?.token_ids ?? []);
      expect(await divergenceGap(engine, prompt, a ?? [], b ?? [])).toBeLessThan(0.01);
    }
  });

  it('reads a long prompt in chunks beside a stream', async () => {
    await engine.complete({ prompt: HELDOUT.slice(20_000, 21_200), max_tokens: 2 });
    expect((await engine.counters()).largestPrefill).toBe(64);
  });
});

describe('score', () => {
  it('gives a row of the whole vocabulary for each token but the last', async () => {
    const text = HELDOUT.slice(3000, 3400);
    const rows = await scoreText(engine, text);
    const { tokens } = (await (await engine.post('/tokenize', { content: text })).json()) as { tokens: number[] };
    expect(rows).toHaveLength(tokens.length - 1);
    for (const row of rows) {
      expect(row).toHaveLength(4096);
      expect(row.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 3);
    }
    const greedy = await engine.complete({ prompt: tokens, max_tokens: 1, temperature: 0, return_token_ids: true });
    const again = await scoreText(engine, `${text} x`);
    const last = again[tokens.length - 1] ?? new Float32Array();
    expect(last.indexOf(Math.max(...last))).toBe(greedy.choices[0]?.token_ids[0]);
  });
});

describe('memory', () => {
  it('does not grow with the tokens that were generated', async () => {
    const generate = async (requests: number): Promise<void> => {
      for (let i = 0; i < requests; i += 2) {
        const ask = (from: number) =>
          engine.complete({ prompt: HELDOUT.slice(from, from + 100), max_tokens: 200, ignore_eos: true, seed: from });
        await Promise.all([ask(i * 500), ask(i * 500 + 250)]);
      }
    };
    await generate(4);
    const before = await metric('inferloom:resident_bytes');
    await generate(12);
    // 2,400 evaluations: 2 to 3 MB; over 60 MB while each left its list of candidates to the garbage collector.
    const grown = (await metric('inferloom:resident_bytes')) - before;
    expect(grown).toBeLessThan(25e6);
  });
});

describe('a killed engine', () => {
  it('is seen at once', async () => {
    const killedAt = performance.now();
    process.kill(engine.pid ?? 0, 'SIGKILL');
    expect(await engine.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(performance.now() - killedAt).toBeLessThan(5000);
  });
});
