import { describe, expect, it } from 'vitest';
import { createStreamReader } from '@/workers/load/stream-reader';

const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`;
const chat = (delta: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });

async function readAll(parts: (string | Buffer)[]) {
  const chunks: number[] = [];
  const reader = createStreamReader((more) => chunks.push(more));
  for (const [i, part] of parts.entries()) reader.read(Buffer.from(part), i);
  return { content: await reader.finish(), chunks };
}

describe('createStreamReader', () => {
  it('takes role-only and empty deltas for no tokens, reasoning for tokens', async () => {
    const { content } = await readAll([
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

  it('stamps a chunk with the read that completed it, and splits several chunks of one read', async () => {
    const text = event({ choices: [{ text: 'a' }] });
    const { content, chunks } = await readAll([text.slice(0, 10), text.slice(10) + text]);
    expect(content.chunkTimesMs).toEqual([1, 1]);
    // Two events end in the second read, and both carry tokens: nothing to correct.
    expect(chunks).toEqual([2]);
  });

  it('joins a character that two reads cut in half', async () => {
    const bytes = Buffer.from(event({ choices: [{ text: 'ж' }] }).replace('\\u0436', 'ж'));
    const middle = bytes.indexOf(Buffer.from('ж')) + 1;
    const { content } = await readAll([bytes.subarray(0, middle), bytes.subarray(middle)]);
    expect(content.chunkTexts).toEqual(['ж']);
  });

  it('reads usage with cached tokens and the queue time, beside a finish reason or alone', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } };
    const { content } = await readAll([event({ choices: [], usage, timings: { queue_ms: 1.5 } })]);
    expect(content.usage).toEqual({ inputTokens: 9, cachedTokens: 3, outputTokens: 4 });
    expect(content.queueMs).toBe(1.5);
  });

  it('counts token ids where events carry them', async () => {
    const { content } = await readAll([
      event({ choices: [{ text: 'ab', token_ids: [1, 2] }] }),
      event({ choices: [{ text: 'c', token_ids: [3] }] }),
    ]);
    expect(content.tokenIds).toBe(3);
    expect((await readAll([chat({ content: 'a' })])).content.tokenIds).toBeNull();
  });

  it('keeps an error of the stream and one that is no JSON; a null usage is none', async () => {
    expect((await readAll([event({ error: { message: 'out of memory' } })])).content.error).toBe('out of memory');
    expect((await readAll(['data: nonsense\n\n'])).content.error).toContain('nonsense');
    expect((await readAll([event({ choices: [], usage: null })])).content.usage).toBeNull();
  });

  it('corrects what was told while it ran: empty events and ends cut in two', async () => {
    const text = event({ choices: [{ text: 'a' }] });
    const { content, chunks } = await readAll([chat({ role: 'assistant' }), text, text.slice(0, -1), '\n']);
    expect(content.chunkTimesMs).toEqual([1, 3]);
    expect(chunks.reduce((sum, k) => sum + k, 0)).toBe(2);
    const crlf = await readAll([text.replaceAll('\n', '\r\n')]);
    expect([crlf.content.chunkTexts, crlf.chunks]).toEqual([['a'], [1]]);
  });

  it('parses a long answer in turns: others run in between', async () => {
    const text = event({ choices: [{ text: 'a' }] });
    const reader = createStreamReader(() => {});
    for (let i = 0; i < 100; i++) reader.read(Buffer.from(text), i);
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 1000) counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const { chunkTimesMs } = await reader.finish();
    clearImmediate(counting);
    expect(chunkTimesMs).toHaveLength(100);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
