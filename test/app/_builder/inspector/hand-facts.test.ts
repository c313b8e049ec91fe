import { describe, expect, it } from 'vitest';
import { type HandForm, handForm, readHandForm } from '@/app/_builder/inspector/hand-facts';
import { completeOwnModel, ownModelSchema } from '@/server/core/facts/own-model';
import { readConfigJson } from '@/server/core/facts/read-config-json';

/** Llama 3.1 8B, as its config.json has it. */
const LLAMA: HandForm = {
  layers: '32',
  hidden: '4096',
  heads: '32',
  kvHeads: '8',
  headDim: '',
  ffn: '14336',
  vocab: '128 256',
  maxTokens: '131,072',
  params: '',
  tied: 'no',
  format: 'safetensors:bfloat16',
};

const read = (form: Partial<HandForm>, base: Parameters<typeof readHandForm>[1] = null) =>
  readHandForm({ ...LLAMA, ...form }, base);
const own = (form: Partial<HandForm>, base: Parameters<typeof readHandForm>[1] = null) => {
  const { own: facts, errors } = read(form, base);
  if (!facts) throw new Error(JSON.stringify(errors));
  return facts;
};

describe('facts by hand', () => {
  it('give what a config.json of the same model gives', () => {
    const config = {
      num_hidden_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      intermediate_size: 14336,
      vocab_size: 128256,
      max_position_embeddings: 131072,
      tie_word_embeddings: false,
      torch_dtype: 'bfloat16',
    };
    const fromFile = completeOwnModel('m', ownModelSchema.parse(readConfigJson(JSON.stringify(config)).own));
    const byHand = completeOwnModel('m', own({}));
    for (const name of [
      'architecture',
      'paramsTotal',
      'paramsActive',
      'paramsEmbedding',
      'headDim',
      'kvHeads',
      'kvBytesPerTokenBf16',
      'maxTokens',
      'formats',
      'dtype',
      'quantization',
    ] as const) {
      expect(byHand[name], name).toEqual(fromFile[name]);
    }
    // The published count without its norms.
    expect(byHand.paramsTotal).toBe(8_029_995_008);
    expect(byHand.source).toBe('by hand');
  });

  it('take short parameters, and leave out what cannot be counted', () => {
    expect(own({ params: '8.03B' }).paramsTotal).toBe(8_030_000_000);
    expect(own({ params: '360 m' }).paramsActive).toBe(360_000_000);
    expect(own({ tied: '' }).paramsTotal).toBeNull();
    expect(own({ kvHeads: '' }).kvHeads).toBe(32);
  });

  it('name the field and the reason', () => {
    expect(read({ layers: '' }).errors).toEqual({ layers: 'Nothing follows without this number.' });
    expect(read({ vocab: '128k', params: 'many' }).errors).toEqual({
      vocab: '"128k" is no whole number above 0.',
      params: '"many" is no whole number above 0, nor one such as 8.03B.',
    });
    expect(read({ kvHeads: '5' }).errors?.kvHeads).toContain('evenly');
    expect(read({ heads: '30', kvHeads: '30' }).errors?.headDim).toContain('give the head size');
    expect(read({ heads: '30', kvHeads: '30', headDim: '128' }).errors).toBeNull();
  });

  it('keep what the form does not ask for, and say when parts no longer fit', () => {
    const base = ownModelSchema.parse({
      layers: 24,
      hidden: 2048,
      heads: 16,
      vocab: 151936,
      ffn: null,
      experts: {
        total: 60,
        perToken: 4,
        shared: 4,
        ffn: 1408,
        sharedFfn: 5632,
        moeLayers: 24,
        denseLayers: 0,
        paramsTotal: null,
      },
      paramsTotal: 14_300_000_000,
      paramsActive: 2_700_000_000,
      formats: ['safetensors:w4a16'],
      source: 'config.json',
    });
    const same = readHandForm({ ...handForm(base), maxTokens: '8192' }, base).own;
    expect(same).toMatchObject({
      experts: base.experts,
      paramsActive: 2_700_000_000,
      maxTokens: 8192,
      formats: ['safetensors:w4a16'],
      source: 'config.json, changed by hand',
    });
    expect(readHandForm({ ...handForm(base), layers: '25' }, base).errors?.layers).toContain('24 layers');
  });
});
