import { describe, expect, it } from 'vitest';
import { attentionOf } from '@/server/core/facts/attention-kind';
import { findModel } from '@/server/core/facts/models';

const of = (name: string) => {
  const facts = findModel(name);
  if (!facts) throw new Error(`no model ${name}`);
  return attentionOf(facts);
};

describe('attentionOf', () => {
  it('names what a model was trained with and how much smaller its cache is', () => {
    expect(of('Llama-3.1-8B')).toMatchObject({ kind: 'GQA', cacheFactor: 4 });
    expect(of('Llama-2-7B')).toMatchObject({ kind: 'MHA', cacheFactor: 1 });
    // 128 heads × (128 + 64 + 128) elements against a latent of 512 + 64.
    expect(of('DeepSeek-V3')).toMatchObject({ kind: 'MLA' });
    expect(of('DeepSeek-V3')?.cacheFactor).toBeCloseTo((128 * 320) / 576, 5);
  });

  it('says from how many devices on the cache is copied', () => {
    expect(of('Qwen2.5-7B')?.advice).toContain('more than 4 devices');
    expect(attentionOf({ heads: 32, kvHeads: 1, headDim: 64, latentAttention: 'none' })?.kind).toBe('MQA');
  });

  it('says nothing where the heads are unknown', () => {
    expect(attentionOf({ heads: 32, kvHeads: null, headDim: 64, latentAttention: null })).toBeNull();
  });
});
