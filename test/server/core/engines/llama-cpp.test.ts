import { describe, expect, it } from 'vitest';
import { EMBEDDED_FLAGS } from '@/server/core/engines/embedded-flags';
import { llamaCpp } from '@/server/core/engines/llama-cpp';
import type { SettingName, SettingValues } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const embedded: Situation = { runtime: 'embedded', version: 'v0.4.0' };
const server: Situation = { runtime: 'llama-server', version: 'b10573' };
const lower = <K extends SettingName>(name: K, value: SettingValues[K], situation: Situation = server): string =>
  lowerShort(llamaCpp, name, value, situation);

describe('llama.cpp, both runtimes alike', () => {
  it.each<[SettingName, unknown, string]>([
    ['weightsFormat', 'gguf:F16', '--model inferloom-demo-f16.gguf'],
    ['flashAttention', 'on', '--flash-attn on'],
    ['flashAttention', 'off', '--flash-attn off'],
    ['kvCacheKeyType', 'Q8_0', '--cache-type-k q8_0'],
    ['kvCacheValueType', 'IQ4_NL', '--cache-type-v iq4_nl'],
    ['prefixCaching', 'on', '--cache-prompt'],
    ['prefixCaching', 'off', '--no-cache-prompt'],
    ['sinkTokens', 4, '--keep 4 --context-shift'],
    ['maxSequences', 8, '--parallel 8'],
    ['threads', 2, '--threads 2'],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', 'LLAMA_API_KEY=$INFERLOOM_SECRET_KEY'],
    ['speculation', 'off', '--spec-type none'],
    ['speculation', 'draft-model', '--spec-type draft-simple'],
    ['speculation', 'prompt-lookup', '--spec-type ngram-simple'],
    ['tensorParallel', 1, ''],
    ['temperature', 0, '{"temperature":0}'],
    ['topP', 0.9, '{"top_p":0.9}'],
    ['topK', 40, '{"top_k":40}'],
    ['minP', 0.05, '{"min_p":0.05}'],
    ['beams', 1, ''],
  ])('%s %s → %s', (name, value, words) => {
    expect(lower(name, value as never, server)).toBe(words);
    expect(lower(name, value as never, embedded)).toBe(words);
  });

  it.each<[SettingName, unknown, RegExp]>([
    ['weightsFormat', 'safetensors:bfloat16', /GGUF files only/],
    ['kvCacheKeyType', 'FP8', /no FP8 cache/],
    ['kvCacheValueType', 'FP8', /no FP8 cache/],
    ['maxSequences', 257, /at most 256/],
    ['memoryFraction', 0.9, /no share of the memory/],
    ['beams', 4, /no beam search/],
    ['draftTokens', 4, /without speculation/],
  ])('refuses %s %s', (name, value, reason) => {
    for (const situation of [server, embedded]) {
      expect(lower(name, value as never, { ...situation, values: { speculation: 'off' } })).toMatch(reason);
    }
  });

  it('multiplies the context of a sequence by the sequences and shows it', () => {
    const lowering = llamaCpp.lowering.contextTokensPerSequence;
    if (typeof lowering !== 'function') throw new Error('not a function');
    expect(lower('contextTokensPerSequence', 512, { ...server, values: { maxSequences: 8 } })).toBe('--ctx-size 4096');
    expect(lower('contextTokensPerSequence', 512)).toBe('--ctx-size 512');
  });

  it('takes the draft as a second model with k by method', () => {
    const draft = checkpoint({ scope: 'draft', fileName: 'draft.gguf' });
    const situation = { ...server, checkpoints: [checkpoint(), draft] };
    expect(lowerShort(llamaCpp, 'weightsFormat', 'gguf:F16', situation, 'draft')).toBe('--model-draft draft.gguf');
    expect(lower('draftTokens', 3, { ...server, values: { speculation: 'draft-model' } })).toBe('--spec-draft-n-max 3');
    const lookup = { ...server, values: { speculation: 'prompt-lookup' as const } };
    expect(lower('draftTokens', 5, lookup)).toBe('--spec-ngram-simple-size-m 5');
  });

  it('refuses scopes that it has no weights or flags for', () => {
    expect(lowerShort(llamaCpp, 'weightsFormat', 'gguf:F16', server, 'prefill')).toMatch(/scope prefill/);
    expect(lowerShort(llamaCpp, 'threads', 2, server, 'draft')).toMatch(/cannot be set for the draft/);
    expect(lowerShort(llamaCpp, 'weightsFormat', 'gguf:F16', { ...server, checkpoints: [] })).toMatch(/no file/);
  });
});

describe('llama.cpp, where the runtimes differ', () => {
  it('bounds the queue in the embedded engine only', () => {
    expect(lower('queueLimit', 16, embedded)).toBe('--queue-limit 16');
    expect(lower('queueLimit', 16, server)).toMatch(/without a limit: bound it in a gateway/);
  });

  it('counts decoding tokens into the step of llama-server', () => {
    expect(lower('prefillTokensPerStep', 256, embedded)).toBe('--batch-size 256 --ubatch-size 256');
    const values = { maxSequences: 4, speculation: 'draft-model' as const, draftTokens: 3 };
    expect(lower('prefillTokensPerStep', 256, { ...server, values })).toBe('--batch-size 272 --ubatch-size 272');
    expect(lower('prefillTokensPerStep', 256, server)).toBe('--batch-size 256 --ubatch-size 256');
  });

  it('compares a range of lengths in the embedded engine, one in llama-server', () => {
    expect(lower('promptLookupMinTokens', 2, embedded)).toBe('--spec-ngram-simple-min-match 2');
    expect(lower('promptLookupMaxTokens', 4, embedded)).toBe('--spec-ngram-simple-size-n 4');
    expect(lower('promptLookupMinTokens', 2, server)).toBe('--spec-ngram-simple-size-n 2');
    expect(lower('promptLookupMinTokens', 1025, server)).toMatch(/^no: .*1 to 1024 tokens/);
    expect(lower('draftTokens', 1025, server)).toMatch(/^no: .*1 to 1024 tokens|without/);
    expect(lower('promptLookupMaxTokens', 4, { ...server, values: { promptLookupMinTokens: 2 } })).toMatch(
      /one length/,
    );
    expect(lower('promptLookupMaxTokens', 2, { ...server, values: { promptLookupMinTokens: 2 } })).toBe(
      'by promptLookupMinTokens',
    );
  });

  it('sets cache types of the draft in llama-server only', () => {
    expect(lowerShort(llamaCpp, 'kvCacheKeyType', 'Q8_0', server, 'draft')).toBe('--spec-draft-type-k q8_0');
    expect(lowerShort(llamaCpp, 'kvCacheValueType', 'Q8_0', server, 'draft')).toBe('--spec-draft-type-v q8_0');
    expect(lowerShort(llamaCpp, 'kvCacheKeyType', 'Q8_0', embedded, 'draft')).toMatch(/in F16/);
  });

  it('splits tensors over every device or not at all', () => {
    const gpus = { kind: 'gpu' as const, id: 'RTX-4090', count: 2 };
    expect(lower('tensorParallel', 2, { ...server, hardware: gpus })).toBe('--split-mode tensor');
    expect(lower('tensorParallel', 4, { ...server, hardware: gpus })).toMatch(/2 here, not 4/);
    expect(lower('tensorParallel', 2, { ...embedded, hardware: gpus })).toMatch(/one device/);
  });

  it('names images by build and device, none for the embedded release', () => {
    const image = (id: string, kind: 'cpu' | 'gpu', version: string) =>
      llamaCpp.image({ hardware: { id, kind }, version });
    expect(image('cpu-local', 'cpu', 'b10573')).toBe('ghcr.io/ggml-org/llama.cpp:server-b10573');
    expect(image('RTX-4090', 'gpu', 'b10573')).toBe('ghcr.io/ggml-org/llama.cpp:server-cuda-b10573');
    expect(image('MI300X', 'gpu', 'b10573')).toBe('ghcr.io/ggml-org/llama.cpp:server-rocm-b10573');
    expect(image('cpu-local', 'cpu', 'v0.4.0')).toBeNull();
  });
});

describe("the embedded engine's command line", () => {
  it('has every flag that the table emits, and llama-server knows all but two of them', () => {
    const own = ['--queue-limit', '--spec-ngram-simple-min-match'];
    const known = new Set((llamaCpp.flags?.flags ?? []).flatMap((f) => [f.name, ...f.aliases]));
    for (const { name } of EMBEDDED_FLAGS.filter((f) => !own.includes(f.name))) expect(known).toContain(name);
    for (const name of own) expect(known).not.toContain(name);
  });
});
