import { describe, expect, it } from 'vitest';
import { ApiError } from '@/workers/embedded/http/api-error';
import { parseCompletionRequest } from '@/workers/embedded/http/completion-request';

const refusal = (body: unknown, kind: 'text' | 'chat' = 'text'): { param?: string | null; message?: string } => {
  try {
    parseCompletionRequest(body, kind);
  } catch (error) {
    if (error instanceof ApiError) return { param: error.param, message: error.message };
    throw error;
  }
  return {};
};

describe('parseCompletionRequest', () => {
  it('reads a completion with the defaults of the OpenAI API', () => {
    expect(parseCompletionRequest({ prompt: 'Hello' }, 'text')).toMatchObject({
      prompt: { text: 'Hello' },
      maxTokens: 16,
      temperature: 1,
      topP: 1,
      topK: 0,
      stream: false,
      stops: [],
    });
  });

  it('reads token ids, single-element lists and chat messages', () => {
    expect(parseCompletionRequest({ prompt: [1, 2, 3] }, 'text').prompt).toEqual({ tokens: [1, 2, 3] });
    expect(parseCompletionRequest({ prompt: [[1, 2]] }, 'text').prompt).toEqual({ tokens: [1, 2] });
    expect(parseCompletionRequest({ prompt: ['a'] }, 'text').prompt).toEqual({ text: 'a' });
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
    const chat = parseCompletionRequest({ messages, max_completion_tokens: 5 }, 'chat');
    expect(chat).toMatchObject({ prompt: { messages: [{ role: 'user', content: 'Hi' }] }, maxTokens: 5 });
  });

  it('accepts fields that change nothing, and "off" values of what it lacks', () => {
    const body = {
      prompt: 'x',
      user: 'u',
      n: 1,
      logprobs: null,
      frequency_penalty: 0,
      logit_bias: {},
      response_format: { type: 'text' },
    };
    expect(refusal(body)).toEqual({});
  });

  it.each([
    [{ prompt: 'x', n: 2 }, 'n'],
    [{ prompt: 'x', logprobs: 5 }, 'logprobs'],
    [{ prompt: 'x', presence_penalty: 0.5 }, 'presence_penalty'],
    [{ prompt: 'x', logit_bias: { 5: -100 } }, 'logit_bias'],
    [{ prompt: 'x', guided_json: {} }, 'guided_json'],
    [{ prompt: 'x', temperature: -1 }, 'temperature'],
    [{ prompt: 'x', top_p: 0 }, 'top_p'],
    [{ prompt: 'x', max_tokens: 0 }, 'max_tokens'],
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: 'x', stream_options: { include_usage: true } }, 'stream_options'],
    [{ prompt: 'x', stop: [''] }, 'stop'],
  ])('refuses %j and names the parameter', (body, param) => {
    expect(refusal(body)).toMatchObject({ param });
    expect(refusal(body).message).toContain(param);
  });

  it('refuses tools and foreign roles in chat', () => {
    const messages = [{ role: 'user', content: 'x' }];
    expect(refusal({ messages, tools: [{}] }, 'chat').param).toBe('tools');
    expect(refusal({ messages: [{ role: 'tool', content: 'x' }] }, 'chat').param).toBe('messages.0.role');
    expect(refusal([], 'chat').message).toContain('JSON object');
  });
});
