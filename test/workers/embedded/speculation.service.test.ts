import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAFT, divergenceGap, type EngineClient, MODELS, startEngine } from './engine-client';

const HELDOUT = readFileSync(path.join(MODELS, 'heldout.txt'), 'utf8');
/** 50 beginnings from text that the models never saw. */
const PROMPTS = Array.from({ length: 50 }, (_, i) => HELDOUT.slice(i * 4600, i * 4600 + 120));
const SHARED = '--ctx-size 2048 --parallel 4 --flash-attn on'.split(' ');
const settings = {
  speculation: { asked: 'draft-model', default: 'off', defaultSource: null, origin: 'spec', field: null },
  draftTokens: { asked: 3, default: 3, defaultSource: null, origin: 'spec', field: null },
  'draft.weightsFormat': { asked: 'gguf:F16', default: null, defaultSource: null, origin: 'draft-model', field: null },
};

let endingTokens: number[];
let plain: EngineClient;
let draft: EngineClient;
let lookup: EngineClient;
beforeAll(async () => {
  plain = await startEngine(SHARED);
  draft = await startEngine([...SHARED, '--model-draft', DRAFT, '--spec-draft-n-max', '3'], { settings });
  lookup = await startEngine([...SHARED, '--spec-type', 'ngram-simple', '--spec-ngram-simple-size-m', '4']);
  const said = await plain.post('/tokenize', { content: ENDING });
  endingTokens = ((await said.json()) as { tokens: number[] }).tokens;
});
afterAll(() => Promise.all([plain, draft, lookup].map((engine) => engine?.stop())));

/** Tokens of each prompt's continuation, four requests at a time. */
async function outputs(engine: EngineClient, sampling: object): Promise<number[][]> {
  const tokens: number[][] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let i = next++; i < PROMPTS.length; i = next++) {
      const body = { prompt: PROMPTS[i], max_tokens: 48, ignore_eos: true, return_token_ids: true, ...sampling };
      tokens[i] = (await engine.complete(body)).choices[0]?.token_ids ?? [];
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  return tokens;
}

async function expectSameGreedy(engine: EngineClient): Promise<void> {
  const wanted = await outputs(plain, { temperature: 0 });
  const got = await outputs(engine, { temperature: 0 });
  for (const [i, prompt] of PROMPTS.entries()) {
    expect(got[i]).toHaveLength(48);
    expect(await divergenceGap(plain, prompt, wanted[i] ?? [], got[i] ?? []), prompt).toBeLessThan(0.01);
  }
}

/** After it the target's likeliest token is the end of the text. */
const ENDING = 'God bless you, and God bless the United States of America.';

describe('ignore_eos and min_tokens', () => {
  const engines = (): [string, EngineClient][] => [
    ['plain', plain],
    ['draft', draft],
    ['lookup', lookup],
  ];

  it('ends there without them, which counts the end token', async () => {
    for (const [name, engine] of engines()) {
      const { choices, usage } = await engine.complete({ prompt: ENDING, max_tokens: 40, temperature: 0 });
      expect([name, choices[0]?.finish_reason, usage.completion_tokens]).toEqual([name, 'stop', 1]);
    }
  });

  it('gives exactly max_tokens tokens, none of them an end token, greedy and sampled', async () => {
    for (const [name, engine] of engines()) {
      for (const temperature of [0, 1]) {
        const asks = Array.from({ length: 12 }, (_, seed) =>
          engine.complete({
            // Twice the ending with an end token between: prompt lookup then proposes that token.
            prompt: [...endingTokens, 0, ...endingTokens],
            max_tokens: 40,
            temperature,
            seed,
            ignore_eos: true,
            return_token_ids: true,
          }),
        );
        for (const { choices, usage } of await Promise.all(asks)) {
          expect([name, temperature, choices[0]?.finish_reason]).toEqual([name, temperature, 'length']);
          expect(usage.completion_tokens).toBe(40);
          expect(choices[0]?.token_ids).toHaveLength(40);
          expect(choices[0]?.token_ids).not.toContain(0);
        }
      }
    }
  });

  it('lets a text end after min_tokens only', async () => {
    for (const [name, engine] of engines()) {
      const asks = Array.from({ length: 12 }, (_, seed) =>
        engine.complete({ prompt: ENDING, max_tokens: 60, min_tokens: 20, seed, return_token_ids: true }),
      );
      for (const { choices } of await Promise.all(asks)) {
        const ids = choices[0]?.token_ids ?? [];
        expect(ids.length, name).toBeGreaterThan(20);
        expect(ids.slice(0, 20), name).not.toContain(0);
      }
    }
  });
});

describe('speculation', () => {
  it('gives the plain run’s greedy tokens with a draft model, in fewer steps', async () => {
    await expectSameGreedy(draft);
    const { drafted = 0, accepted = 0, speculationSteps = 0 } = await draft.counters();
    expect(accepted / drafted).toBeGreaterThan(0.3);
    expect(drafted).toBeGreaterThan(speculationSteps);
  });

  it('gives the plain run’s greedy tokens with prompt lookup', async () => {
    await expectSameGreedy(lookup);
    expect((await lookup.counters()).accepted).toBeGreaterThan(0);
  });

  it('draws what the plain run draws for a seed with prompt lookup', async () => {
    // Among few candidates rounding in another batch seldom changes their order, and with it what a seed draws.
    const sampling = { temperature: 0.8, top_k: 8, seed: 11 };
    const wanted = await outputs(plain, sampling);
    const got = await outputs(lookup, sampling);
    const same = PROMPTS.filter((_, i) => wanted[i]?.join() === got[i]?.join());
    expect(same.length).toBeGreaterThanOrEqual(45);
  });

  it('samples with a draft model, the same again for the same seed, and accepts drafts', async () => {
    const before = await draft.counters();
    const body = {
      prompt: PROMPTS[0],
      max_tokens: 60,
      temperature: 0.7,
      seed: 5,
      ignore_eos: true,
      return_token_ids: true,
    };
    const draw = async () => {
      await draft.post('/inferloom/reset', {});
      return draft.complete(body);
    };
    const first = await draw();
    const second = await draw();
    expect(second.choices[0]?.token_ids).toEqual(first.choices[0]?.token_ids);
    expect(first.usage.completion_tokens).toBe(60);
    const after = await draft.counters();
    expect(after.accepted).toBeGreaterThan(before.accepted ?? 0);
  });

  it('shows as applied, by counters and by the draft’s own log', async () => {
    const rows = await draft.readEffective();
    expect(rows).toMatchObject([
      { setting: 'speculation', got: 'draft-model', state: 'applied' },
      { setting: 'draftTokens', got: 3, state: 'applied' },
      { setting: 'draft.weightsFormat', got: 'gguf:F16', state: 'applied' },
    ]);
  });
});
