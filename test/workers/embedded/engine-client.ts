import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Plan } from '@/server/core/plan/plan';
import type { RunningEngine } from '@/workers/drivers/driver';
import { startEmbeddedEngine } from '@/workers/embedded/launch';
import { projectRoot } from '@/workers/embedded/project-root';

export const MODELS = path.join(projectRoot(), 'workers/embedded/models');
export const TARGET = path.join(MODELS, 'inferloom-demo-f16.gguf');
export const DRAFT = path.join(MODELS, 'inferloom-demo-draft-f16.gguf');

/** A running engine and what a test asks of it. */
export interface EngineClient extends RunningEngine {
  post(route: string, body: object, init?: RequestInit): Promise<Response>;
  complete(body: object): Promise<Completion>;
  counters(): Promise<Record<string, number>>;
}

export interface Completion {
  choices: { text: string; token_ids: number[]; finish_reason: string; message?: { content: string } }[];
  usage: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } };
}

export async function startEngine(
  flags: string[],
  more: { settings?: Plan['settings']; apiKey?: string; model?: string } = {},
): Promise<EngineClient> {
  const engine = await startEmbeddedEngine({
    argv: ['--model', more.model ?? TARGET, ...flags],
    settings: more.settings ?? {},
    apiKey: more.apiKey ?? null,
    cwd: await mkdtemp(path.join(os.tmpdir(), 'engine-test-')),
    log: () => {},
    signal: new AbortController().signal,
  });
  const headers: Record<string, string> = engine.apiKey === null ? {} : { authorization: `Bearer ${engine.apiKey}` };
  const post: EngineClient['post'] = (route, body, init = {}) =>
    fetch(engine.url + route, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  return {
    ...engine,
    post,
    complete: async (body) => {
      const response = await post('/v1/completions', body);
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as Completion;
    },
    counters: async () => {
      const response = await fetch(`${engine.url}/inferloom/effective`, { headers });
      return ((await response.json()) as { counters: Record<string, number> }).counters;
    },
  };
}

/** The data of each server-sent event. */
export async function readEvents(response: Response): Promise<string[]> {
  return (await response.text())
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));
}

/** Rows of natural log-probabilities over the vocabulary, one for each token but the last. */
export const scoreText = (engine: EngineClient, text: string): Promise<Float32Array[]> => scoreRows(engine, { text });
const scoreTokens = (engine: EngineClient, tokens: number[]): Promise<Float32Array[]> => scoreRows(engine, { tokens });

async function scoreRows(engine: EngineClient, body: object): Promise<Float32Array[]> {
  const response = await engine.post('/inferloom/score', body);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const vocabulary = Number(response.headers.get('x-vocab'));
  const flat = new Float32Array(await response.arrayBuffer());
  return Array.from({ length: flat.length / vocabulary }, (_, i) =>
    flat.subarray(i * vocabulary, (i + 1) * vocabulary),
  );
}

/**
 * How far apart the engine's two likeliest tokens are (difference of logits) where two greedy outputs first differ;
 * 0 where they do not. Rounding in another batch may turn a tie, and nothing else.
 */
export async function divergenceGap(
  engine: EngineClient,
  prompt: string,
  plain: readonly number[],
  other: readonly number[],
): Promise<number> {
  const at = plain.findIndex((token, i) => other[i] !== token);
  if (at < 0) return plain.length === other.length ? 0 : Number.POSITIVE_INFINITY;
  const { tokens } = (await (await engine.post('/tokenize', { content: prompt })).json()) as { tokens: number[] };
  const scored = [...tokens, ...plain.slice(0, at + 1)];
  const row = (await scoreTokens(engine, scored)).at(-1) ?? new Float32Array();
  const [first = 0, second = 0] = [...row].sort((a, b) => b - a);
  return first - second;
}

/** Waits until a condition holds; throws after 10 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the condition did not come true in 10 s');
}
