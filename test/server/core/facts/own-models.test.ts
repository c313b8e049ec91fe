import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findModel } from '@/server/core/facts/models';
import { completeOwnModel, ownModelSchema } from '@/server/core/facts/own-model';
import { readConfigJson } from '@/server/core/facts/read-config-json';
import { readGgufModel } from '@/server/core/facts/read-gguf-header';

const llama = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  num_hidden_layers: 32,
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  intermediate_size: 14336,
  vocab_size: 128256,
  max_position_embeddings: 131072,
  tie_word_embeddings: false,
  torch_dtype: 'bfloat16',
  rope_theta: 500000,
  rope_scaling: { rope_type: 'llama3', factor: 8, original_max_position_embeddings: 8192 },
};
const read = (config: object) => readConfigJson(JSON.stringify(config)).own;

describe('a config.json', () => {
  it('gives a dense model the facts that the table has', () => {
    const own = read(llama);
    const table = findModel('Llama-3.1-8B');
    const facts = completeOwnModel(
      'my/llama',
      own ?? ownModelSchema.parse({ layers: 1, hidden: 1, heads: 1, vocab: 1 }),
    );
    for (const name of [
      'layers',
      'hidden',
      'heads',
      'kvHeads',
      'headDim',
      'ffn',
      'maxTokens',
      'kvBytesPerTokenBf16',
      'window',
      'experts',
      'latentAttention',
      'ropeScaling',
      'quantization',
      'formats',
      'architecture',
    ] as const) {
      expect(facts[name], name).toEqual(table?.[name]);
    }
    // The table counts norms too.
    expect((facts.paramsTotal ?? 0) / (table?.paramsTotal ?? 1)).toBeCloseTo(1, 3);
  });

  it('reads latent attention, experts, block FP8 and MTP layers of a DeepSeek', () => {
    const own = read({
      ...llama,
      model_type: 'deepseek_v3',
      num_hidden_layers: 61,
      hidden_size: 7168,
      num_attention_heads: 128,
      num_key_value_heads: 128,
      intermediate_size: 18432,
      moe_intermediate_size: 2048,
      n_routed_experts: 256,
      n_shared_experts: 1,
      num_experts_per_tok: 8,
      first_k_dense_replace: 3,
      q_lora_rank: 1536,
      kv_lora_rank: 512,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      num_nextn_predict_layers: 1,
      vocab_size: 129280,
      quantization_config: { quant_method: 'fp8', activation_scheme: 'dynamic', weight_block_size: [128, 128] },
    });
    const table = findModel('DeepSeek-V3');
    expect(own).toMatchObject({
      latentAttention: table?.latentAttention,
      mtpLayers: 1,
      formats: ['safetensors:fp8-block'],
      quantization: { method: 'fp8', blockSize: 128 },
    });
    expect((own?.paramsTotal ?? 0) / (table?.paramsTotal ?? 1)).toBeCloseTo(1, 3);
    expect((own?.paramsActive ?? 0) / (table?.paramsActive ?? 1)).toBeCloseTo(1, 2);
  });

  it.each<[string, object, object]>([
    [
      'windows listed by layer',
      { sliding_window: 128, layer_types: ['sliding_attention', 'full_attention'], num_hidden_layers: 2 },
      { window: { tokens: 128, slidingLayers: 1, fullLayers: 1 } },
    ],
    ['a window that is switched off', { sliding_window: 4096, use_sliding_window: false }, { window: 'none' }],
    [
      'linear attention',
      {
        layer_types: ['linear_attention', 'full_attention'],
        num_hidden_layers: 2,
        linear_num_value_heads: 4,
        linear_key_head_dim: 8,
        linear_value_head_dim: 8,
      },
      { linearAttention: { layers: 1, stateElementsPerLayer: 256 } },
    ],
    [
      'AWQ',
      { quantization_config: { quant_method: 'awq', bits: 4, group_size: 64 } },
      { formats: ['safetensors:awq-int4'], quantization: { method: 'awq', groupSize: 64 } },
    ],
    [
      'GPTQ with act-order',
      { quantization_config: { quant_method: 'gptq', bits: 8, group_size: 32, desc_act: true } },
      { formats: ['safetensors:gptq-int8'], quantization: { actOrder: true } },
    ],
    [
      'ModelOpt NVFP4',
      { quantization_config: { quant_method: 'modelopt', quant_algo: 'NVFP4', kv_cache_scheme: { num_bits: 8 } } },
      { formats: ['safetensors:nvfp4'], quantization: { method: 'modelopt_fp4', hasKvScales: true } },
    ],
    [
      'compressed-tensors W8A8',
      {
        quantization_config: {
          quant_method: 'compressed-tensors',
          config_groups: {
            group_0: {
              weights: { num_bits: 8, type: 'int', strategy: 'channel' },
              input_activations: { num_bits: 8, type: 'int' },
            },
          },
        },
      },
      { formats: ['safetensors:int8-w8a8'], quantization: { scheme: 'W8A8-INT8', groupSize: -1 } },
    ],
  ])('reads %s', (_, over, expected) => {
    expect(read({ ...llama, ...over })).toMatchObject(expected);
  });

  it('takes the text tower of a multimodal model, and the Infinity that Python leaves in a file', () => {
    const text = `{"architectures":["XForConditionalGeneration"],"vision_config":{},"text_config":${JSON.stringify({ ...llama, num_hidden_layers: 7 })},"time_step_limit":[0.0,Infinity]}`;
    expect(readConfigJson(text).own).toMatchObject({ layers: 7, isMultimodal: true });
  });

  it.each<[string, RegExp]>([
    ['{', /not JSON: /],
    ['[1]', /no object/],
    ['{"a":1}', /num_hidden_layers, hidden_size, num_attention_heads, vocab_size are missing.*the text has a/],
    ['{"text_config":{"hidden_size":-1}}', /text_config\.num_hidden_layers, text_config\.hidden_size/],
    ['"__proto__"', /no object/],
    [`{"__proto__":{"num_hidden_layers":1}}`, /are missing/],
    [
      JSON.stringify(llama).replace('"num_hidden_layers":32', '"num_hidden_layers":1e400'),
      /num_hidden_layers is missing/,
    ],
    [' '.repeat(10_000_001), /too many/],
  ])('says what is wrong with %.40j', (text, expected) => {
    const { own, findings } = readConfigJson(text);
    expect(own).toBeNull();
    expect(findings.map(({ severity, code, field }) => [severity, code, field])).toEqual([
      ['error', 'model-config-unreadable', 'facts'],
    ]);
    expect(findings[0]?.message).toMatch(expected);
  });
});

const GGUF = readFileSync(join(process.cwd(), 'workers/embedded/models/inferloom-demo-f16.gguf'));

describe('a GGUF header', () => {
  it('gives the demo model the facts that the table has', () => {
    const { own, more } = readGgufModel(GGUF);
    expect(more).toBeNull();
    const table = findModel('inferloom-demo');
    for (const name of [
      'layers',
      'hidden',
      'heads',
      'kvHeads',
      'headDim',
      'ffn',
      'vocab',
      'maxTokens',
      'paramsTotal',
      'paramsEmbedding',
      'tiedEmbeddings',
      'ggufArchitecture',
      'dtype',
    ] as const) {
      expect(own?.[name], name).toEqual(table?.[name]);
    }
    expect(own?.formats).toEqual(['gguf:F16']);
  });

  it('says how many bytes it needs, and reads none of the weights', () => {
    const short = readGgufModel(GGUF.subarray(0, 5000));
    expect([short.own, (short.more ?? 0) > 5000]).toEqual([null, true]);
    let bytes = 24;
    for (let step = 0; step < 20_000; step++) {
      const { more } = readGgufModel(GGUF.subarray(0, bytes));
      if (more === null) break;
      expect(more).toBeGreaterThan(bytes);
      bytes = Math.max(more, bytes * 2);
    }
    expect(bytes).toBeLessThan(400_000);
  });

  it.each<[string, (bytes: Uint8Array) => void, RegExp]>([
    ['another magic', (b) => b.set([0], 0), /first four bytes are not GGUF/],
    ['an unknown version', (b) => b.set([9], 4), /version 9/],
    ['the other byte order', (b) => b.set([0, 0, 0, 3], 4), /big-endian/],
    [
      'a number of tensors beyond reason',
      (b) => b.set([255, 255, 255, 255, 255, 255, 255, 255], 8),
      /number of tensors/,
    ],
    ['a key longer than any', (b) => b.set([255, 255, 255, 255, 255, 255, 255, 127], 24), /length of key 0/],
  ])('refuses %s with the place', (_, damage, expected) => {
    const bytes = new Uint8Array(GGUF);
    damage(bytes);
    const { own, findings } = readGgufModel(bytes);
    expect(own).toBeNull();
    expect(findings[0]?.message).toMatch(expected);
  });

  it('never throws on noise', () => {
    let state = 7;
    for (let round = 0; round < 300; round++) {
      const bytes = new Uint8Array(GGUF.subarray(0, 3000));
      for (let index = 0; index < 20; index++) {
        state = (state * 48271) % 2147483647;
        bytes[24 + (state % 2900)] = state % 256;
      }
      expect(() => readGgufModel(bytes)).not.toThrow();
    }
  });
});

describe('facts in a document', () => {
  it('refuse what no model has', () => {
    expect(ownModelSchema.safeParse({ layers: 1, hidden: 1, heads: 1, vocab: 1, colour: 'red' }).success).toBe(false);
    expect(ownModelSchema.safeParse({ layers: 0, hidden: 1, heads: 1, vocab: 1 }).success).toBe(false);
    expect(ownModelSchema.safeParse({ hidden: 1, heads: 1, vocab: 1 }).success).toBe(false);
  });
});
