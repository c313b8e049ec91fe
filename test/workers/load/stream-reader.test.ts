import { describe, expect, it } from 'vitest';
import { createStreamReader } from '@/workers/load/stream-reader';

const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`;
const chat = (delta: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });

function readAll(parts: (string | Buffer)[]) {
  const chunks: number[] = [];
  const reader = createStreamReader((at) => chunks.push(at));
  for (const [i, part] of parts.entries()) reader.read(Buffer.from(part), i);
  return { content: reader.content, chunks };
}

describe('createStreamReader', () => {
  it('takes role-only and empty deltas for no tokens, reasoning for tokens', () => {
    const { content } = readAll([
      chat({ role: 'assistant', content: '' }),
      chat({ role: 'assistant' }),
      chat({ reasoning_content: 'hm' }),
      chat({ content: ' yes' }),
      chat({}, 'stop'),
      'data: [DONE]\n\n',
    ]);
    expect(content.chunkTimesMs).toEqual([2, 3]);
    expect(content.chunkTexts).toEqual(['hm', ' yes']);
    expect(content.complete).toBe(true);
  });

  it('stamps a chunk with the read that completed it, and splits several chunks of one read', () => {
    const text = event({ choices: [{ text: 'a' }] });
    const { content, chunks } = readAll([text.slice(0, 10), text.slice(10) + text]);
    expect(content.chunkTimesMs).toEqual([1, 1]);
    expect(chunks).toEqual([1, 1]);
  });

  it('joins a character that two reads cut in half', () => {
    const bytes = Buffer.from(event({ choices: [{ text: 'ж' }] }).replace('\\u0436', 'ж'));
    const middle = bytes.indexOf(Buffer.from('ж')) + 1;
    const { content } = readAll([bytes.subarray(0, middle), bytes.subarray(middle)]);
    expect(content.chunkTexts).toEqual(['ж']);
  });

  it('reads usage with cached tokens and the queue time, beside a finish reason or alone', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } };
    const { content } = readAll([event({ choices: [], usage, timings: { queue_ms: 1.5 } })]);
    expect(content.usage).toEqual({ inputTokens: 9, cachedTokens: 3, outputTokens: 4 });
    expect(content.queueMs).toBe(1.5);
  });

  it('counts token ids where events carry them', () => {
    const { content } = readAll([
      event({ choices: [{ text: 'ab', token_ids: [1, 2] }] }),
      event({ choices: [{ text: 'c', token_ids: [3] }] }),
    ]);
    expect(content.tokenIds).toBe(3);
    expect(readAll([chat({ content: 'a' })]).content.tokenIds).toBeNull();
  });

  it('keeps an error of the stream and one that is no JSON; a null usage is none', () => {
    expect(readAll([event({ error: { message: 'out of memory' } })]).content.error).toBe('out of memory');
    expect(readAll(['data: nonsense\n\n']).content.error).toContain('nonsense');
    expect(readAll([event({ choices: [], usage: null })]).content.usage).toBeNull();
  });
});
