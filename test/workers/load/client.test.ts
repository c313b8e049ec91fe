import { describe, expect, it } from 'vitest';
import { workloadSchema } from '@/server/core/workload/workload';
import { endpointUrl, requestBody } from '@/workers/load/client';

describe('endpointUrl', () => {
  it.each([
    ['http://h:1', 'completions', 'http://h:1/v1/completions'],
    ['http://h:1/', 'chat', 'http://h:1/v1/chat/completions'],
    ['http://h:1/v1', 'chat', 'http://h:1/v1/chat/completions'],
    ['https://h/openai/v1/', 'completions', 'https://h/openai/v1/completions'],
  ] as const)('%s %s', (base, endpoint, url) => {
    expect(endpointUrl(base, endpoint).href).toBe(url);
  });
});

describe('requestBody', () => {
  const workload = workloadSchema.parse({
    id: 'w',
    nodeId: null,
    title: 'w',
    role: 'target',
    endpoint: 'chat',
    inputTokens: 8,
    outputTokens: 4,
    loads: [{ mode: 'closed', concurrency: 1 }],
    warmupS: 0,
    windowS: 1,
  });
  const job = {
    url: 'http://h',
    model: 'm',
    apiKey: null,
    workload,
    load: { mode: 'closed' as const, concurrency: 1 },
    loadIndex: 0,
    seed: 1,
    blockIndex: 0,
    request: { temperature: 0, max_tokens: 999 },
    maxRequests: null,
    onEngineHost: true,
  };
  const spec = { index: 0, phase: 'measure' as const, scheduledMs: 0, prompt: 'hello', maxTokens: 4 };

  it('fixes the length, asks for usage, and lets no request default override what the load needs', () => {
    expect(JSON.parse(requestBody(job, spec))).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 4,
      ignore_eos: true,
      min_tokens: 4,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
    });
  });

  it('lets answers end by themselves where the workload says so', () => {
    const natural = { ...job, workload: { ...workload, ignoreEos: false, endpoint: 'completions' as const } };
    const body = JSON.parse(requestBody(natural, spec)) as Record<string, unknown>;
    expect(body.prompt).toBe('hello');
    expect(body).not.toHaveProperty('ignore_eos');
    expect(body).not.toHaveProperty('min_tokens');
  });
});
