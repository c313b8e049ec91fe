import { describe, expect, it } from 'vitest';
import { EMBEDDED_FLAGS } from '@/server/core/engines/embedded-flags';
import { parseEngineFlags, UsageError } from '@/workers/embedded/flags';

describe('parseEngineFlags', () => {
  it('reads llama-server names', () => {
    const argv =
      '--model a/b.gguf --ctx-size 4096 --parallel 8 --cache-type-k q8_0 --flash-attn on --no-cache-prompt --port 0';
    expect(parseEngineFlags(argv.split(' '))).toMatchObject({
      model: 'a/b.gguf',
      alias: 'b.gguf',
      contextTokens: 4096,
      sequences: 8,
      cacheTypeK: 'Q8_0',
      cacheTypeV: 'F16',
      flashAttention: 'on',
      cachePrompt: false,
      port: 0,
      threads: 1,
      speculation: 'none',
    });
  });

  it('takes a draft model as draft speculation', () => {
    expect(parseEngineFlags(['--model', 'm', '--model-draft', 'd', '--spec-draft-n-max', '4'])).toMatchObject({
      speculation: 'draft-model',
      draftModel: 'd',
      draftTokens: 4,
    });
  });

  it('lets an explicit --spec-type none win over a draft model', () => {
    const options = parseEngineFlags(['--model', 'm', '--model-draft', 'd', '--spec-type', 'none']);
    expect(options).toMatchObject({ speculation: 'none', draftModel: null });
  });

  it('copies as many tokens by prompt lookup as its own flag says', () => {
    const argv = '--model m --spec-type ngram-simple --spec-ngram-simple-size-m 7 --spec-draft-n-max 2'.split(' ');
    expect(parseEngineFlags(argv)).toMatchObject({ draftTokens: 7, lookupMinTokens: 1, lookupMaxTokens: 3 });
  });

  it('accepts every flag that core lists for this engine, and has its defaults', () => {
    const values: Record<string, string> = { 'on-off-auto': 'on', 'kv-type': 'f16', 'spec-type': 'none', text: 'x' };
    for (const { name, type } of EMBEDDED_FLAGS.filter((f) => f.name !== '--model')) {
      const argv = type === 'flag' ? [name] : [name, values[type] ?? '2'];
      expect(() => parseEngineFlags(['--model', 'm', ...argv]), name).not.toThrow();
    }
    const byDefault = parseEngineFlags(['--model', 'm']);
    expect(byDefault).toMatchObject({
      sequences: 1,
      ubatchTokens: 512,
      draftTokens: 3,
      queueLimit: 64,
      contextTokens: 0,
    });
  });

  it('takes the key from the environment, and the flag before it', () => {
    const env = { LLAMA_API_KEY: 'from-env' };
    expect(parseEngineFlags(['--model', 'm'], env).apiKey).toBe('from-env');
    expect(parseEngineFlags(['--model', 'm', '--api-key', 'k'], env).apiKey).toBe('k');
  });

  it.each([
    [['--model', 'm', '--foo', '1'], /--foo/],
    [['--model', 'm', '--parallel', '0'], /--parallel must be a whole number from 1/],
    [['--model', 'm', '--parallel', '2.5'], /--parallel/],
    [['--model', 'm', '--ctx-size', 'many'], /--ctx-size/],
    [['--model', 'm', '--cache-type-k', 'i8'], /--cache-type-k must be one of f32, f16/],
    [['--model', 'm', '--cache-type-v', 'fp8'], /--cache-type-v/],
    [['--model', 'm', '--flash-attn', 'maybe'], /--flash-attn/],
    [['--model', 'm', '--spec-type', 'draft-simple'], /needs --model-draft/],
    [['--model', 'm', '--spec-type', 'draft-eagle3'], /--spec-type/],
    [['--model', 'm', '--cache-prompt', '--no-cache-prompt'], /contradict/],
    [['--model', 'm', 'stray'], /stray/],
    [['--model', 'm', '--spec-ngram-simple-min-match', '5'], /exceeds --spec-ngram-simple-size-n 3/],
    [[], /--model FILE is required/],
  ])('refuses %j in one line', (argv, message) => {
    expect(() => parseEngineFlags(argv)).toThrow(UsageError);
    expect(() => parseEngineFlags(argv)).toThrow(message);
    expect(() => parseEngineFlags(argv)).not.toThrow(/\n/);
  });
});
