import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createQualityTool } from '@/workers/quality/quality-tool';

const VOCABULARY = 8;
const TEXT = 'abcdefgh'.repeat(200);

interface Fake {
  /** Logit added to the right next token: larger is surer. */
  sureness: number;
  /** Tokens that one request may hold. */
  context: number;
  shift: number;
}

let close: (() => void) | null = null;
afterEach(() => {
  close?.();
  close = null;
});

function row(next: number, sureness: number): number[] {
  const logits = Array.from({ length: VOCABULARY }, (_, i) => (i === next ? sureness : 0));
  const norm = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
  return logits.map((x) => x - norm);
}

/** A scorer whose tokens are letters: it foresees the next letter with a given sureness. */
async function startScorer({ sureness, context, shift }: Fake) {
  const asked: number[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const part of req) text += part;
    const body = JSON.parse(text) as { content?: string; tokens?: number[] };
    if (req.url === '/tokenize') {
      const tokens = [...(body.content ?? '')].map((c) => (c.charCodeAt(0) - 97 + shift) % VOCABULARY);
      return res.end(JSON.stringify({ tokens }));
    }
    const tokens = body.tokens ?? [];
    asked.push(tokens.length);
    if (tokens.length > context) {
      return res
        .writeHead(400)
        .end(JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } }));
    }
    const rows = tokens.slice(1).flatMap((next) => row(next, sureness));
    res.writeHead(200, { 'x-tokens': String(tokens.length), 'x-vocab': String(VOCABULARY) });
    res.end(Buffer.from(Float32Array.from(rows).buffer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = close;
  close = () => {
    before?.();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: null, asked };
}

const { signal } = new AbortController();
const sure: Fake = { sureness: 5, context: 4096, shift: 0 };

describe('createQualityTool', () => {
  it('finds no distance to itself and the known one to a less sure server', async () => {
    const tool = createQualityTool(TEXT);
    const baseline = await startScorer(sure);
    const reference = await tool.makeReference(baseline, signal);
    const itself = await tool.evaluate(baseline, reference, signal);
    expect(itself).toMatchObject({ klDivergence: 0, top1Agreement: 1, noiseFloor: null, tokens: 4 * 191 });
    const other = await tool.evaluate(await startScorer({ ...sure, sureness: 2 }), reference, signal);
    const [p, q] = [row(0, 5), row(0, 2)];
    const kl = p.reduce((sum, logP, i) => sum + Math.exp(logP) * (logP - (q[i] ?? 0)), 0);
    expect(other.klDivergence).toBeCloseTo(kl, 5);
    expect(other.perplexity).toBeCloseTo(Math.exp(-(q[0] ?? 0)), 4);
    expect(other.top1Agreement).toBe(1);
  });

  it('halves its windows for a short context', async () => {
    const server = await startScorer({ ...sure, context: 100 });
    const tool = createQualityTool(TEXT);
    const reference = await tool.makeReference(server, signal);
    expect(server.asked).toEqual([192, 96, 96, 96, 96]);
    expect((await tool.evaluate(server, reference, signal)).tokens).toBe(4 * 95);
  });

  it('gives no KL to a server with another tokenizer', async () => {
    const tool = createQualityTool(TEXT);
    const reference = await tool.makeReference(await startScorer(sure), signal);
    const other = await tool.evaluate(await startScorer({ ...sure, shift: 1 }), reference, signal);
    expect(other).toMatchObject({ klDivergence: null, top1Agreement: null });
    expect(other.perplexity).toBeGreaterThan(1);
  });

  it('says what is missing where there is no such route', async () => {
    const server = createServer((_, res) => res.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => server.close();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = createQualityTool(TEXT).makeReference({ url, apiKey: null }, signal);
    await expect(made).rejects.toThrow('this engine gives no log-probabilities');
  });

  it('names text and method: another text is another hash', () => {
    expect(createQualityTool(TEXT).textHash).toBe(createQualityTool(TEXT).textHash);
    expect(createQualityTool(TEXT).textHash).not.toBe(createQualityTool(`x${TEXT}`).textHash);
  });
});
