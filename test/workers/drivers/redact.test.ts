import { describe, expect, it } from 'vitest';
import { createRedactor } from '@/workers/drivers/redact';

const redact = createRedactor(['s3cret', 'a-long-secret-value']);

describe('createRedactor', () => {
  it.each([
    ['--api-key abc123xyz --port 80', '--api-key [redacted] --port 80'],
    ['LLAMA_API_KEY=abc123xyz', 'LLAMA_API_KEY=[redacted]'],
    ['{"apiKey": "abc", "model": "m"}', '{"apiKey": [redacted], "model": "m"}'],
    ['Authorization: Bearer abc.def', 'Authorization: [redacted]'],
    ['password=hunter2&user=me', 'password=[redacted]&user=me'],
    ['postgres://me:hunter2@host/db', 'postgres://me:[redacted]@host/db'],
  ])('by key: %s', (text, expected) => expect(redact(text)).toBe(expected));

  it.each([
    'got hf_abcdefghijklmnopqrstuv here',
    'sk-abcdefghijklmnop1234',
    'Bearer abcdefgh12345',
    'AKIAABCDEFGHIJKLMNOP',
  ])('by shape: %s', (text) => expect(redact(text)).toContain('[redacted]'));

  it('by value: short ones as a whole word, long ones anywhere', () => {
    expect(redact('key s3cret end')).toBe('key [redacted] end');
    expect(redact('xs3cretx')).toBe('xs3cretx');
    expect(redact('url/a-long-secret-value/x')).toBe('url/[redacted]/x');
  });

  it.each([
    'prompt_tokens: 42, completion_tokens: 12',
    '--max-num-batched-tokens 2048',
    'print_info: EOS token = 2',
    'llama_kv_cache: size = 12.00 MiB ( 1024 cells)',
    'tokenizer.ggml.model = llama',
    'n_tokens = 512, token 7 of 9',
  ])('leaves an engine log line alone: %s', (line) => expect(redact(line)).toBe(line));
});
