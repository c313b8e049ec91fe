import { describe, expect, it } from 'vitest';
import { sglang } from '@/server/core/engines/sglang';
import type { Scope, SettingName, SettingValues } from '@/server/core/plan/settings';
import { checkpoint, type Situation } from '@/test/fixtures/lowering-context';
import { cpu, gpu, having, llama, lower, mla, on } from '@/test/fixtures/sglang-situations';

describe('SGLang: weights', () => {
  const format = (scheme: string, id: string, source: 'checkpoint' | 'online' = 'checkpoint'): string =>
    lower(
      'weightsFormat',
      `safetensors:${scheme}`,
      on(id, { checkpoints: [{ ...llama, format: `safetensors:${scheme}`, source }] }),
    );
  const model = '--model-path meta-llama/Llama-3.1-8B-Instruct';

  it.each<[string, string, string | RegExp]>([
    ['fp8', 'H100-SXM', model],
    ['fp8-static', 'MI300X', model],
    ['fp8', 'A100-SXM-80GB', /Marlin kernels read the weights in 8 bits/],
    ['fp8', 'T4', /^no: .*8\.0/],
    ['awq-int4', 'RTX-4090', model],
    ['awq-int4', 'T4', model],
    ['gptq-int4', 'A100-SXM-80GB', model],
    ['int8-w8a8', 'A100-SXM-80GB', model],
    ['int8-w8a8', 'B200', /test first/],
    ['nvfp4', 'B200', model],
    ['nvfp4', 'H100-SXM', /Marlin kernels read the weights in 4 bits/],
    ['nvfp4', 'MI300X', /--quantization petit_nvfp4/],
    ['mxfp4', 'H100-SXM', model],
    ['mxfp4', 'MI300X', /needs an MI350/],
    ['mxfp8', 'H100-SXM', /^no: .*10\.0/],
    ['bnb-nf4', 'MI300X', /^no: .*AMD/],
    ['quip', 'H100-SXM', /no kernels for safetensors:quip/],
  ])('%s on %s', (scheme, id, expected) => {
    expect(format(scheme, id)).toMatch(typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected);
  });

  it.each<[string, string, RegExp]>([
    ['fp8', 'H100-SXM', / --quantization fp8$/],
    ['mxfp8', 'B200', / --quantization mxfp8$/],
    ['nvfp4', 'B200', / --quantization nvfp4_online$/],
    ['nvfp4', 'H100-SXM', /^no: NVFP4 at load needs Blackwell/],
    ['bnb-nf4', 'A100-SXM-80GB', / --quantization bitsandbytes --load-format bitsandbytes$/],
    ['awq-int4', 'H100-SXM', /^no: .*name a checkpoint/],
  ])('makes %s at load on %s', (scheme, id, expected) => {
    expect(format(scheme, id, 'online')).toMatch(expected);
  });

  it('reads GGUF on NVIDIA, pins a revision, and names the device of a CPU', () => {
    const gguf = checkpoint({ format: 'gguf:Q4_K_M', fileName: 'llama-q4_k_m.gguf' });
    expect(lower('weightsFormat', 'gguf:Q4_K_M', { ...gpu, checkpoints: [gguf] })).toBe(
      '--model-path llama-q4_k_m.gguf --load-format gguf --quantization gguf',
    );
    expect(lower('weightsFormat', 'gguf:Q4_K_M', { ...cpu, checkpoints: [gguf] })).toMatch(/^no: .*llama\.cpp/);
    expect(
      lower('weightsFormat', 'safetensors:bfloat16', { ...gpu, checkpoints: [{ ...llama, revision: 'abc' }] }),
    ).toMatch(/ --revision abc$/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', cpu)).toMatch(/ --device cpu$/);
    expect(lower('weightsSparsity', '2:4')).toMatch(/^by weightsFormat \| but: .*load dense/);
  });

  it('gives the draft arguments of its own', () => {
    const values = { speculation: 'draft-model' as const };
    expect(lower('weightsFormat', 'safetensors:bfloat16', having(values), 'draft')).toBe(
      '--speculative-draft-model-path meta-llama/Llama-3.2-1B-Instruct',
    );
    expect(lower('kvCacheKeyType', 'FP8', having(values), 'draft')).toBe('--speculative-draft-kv-cache-dtype fp8_e4m3');
    expect(lower('attentionBackend', 'triton', having(values), 'draft')).toBe(
      '--speculative-draft-attention-backend triton',
    );
    expect(lower('tensorParallel', 4, having({ tensorParallel: 4 }), 'draft')).toBe('by tensorParallel');
    expect(lower('tensorParallel', 1, having({ tensorParallel: 4 }), 'draft')).toMatch(/same ranks/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', gpu, 'draft')).toMatch(/without speculation/);
  });
});

describe('SGLang: arithmetic', () => {
  const noted = (name: SettingName, value: unknown, situation: Situation): string => {
    const lowering = sglang.lowering[name] as (v: unknown, c: unknown, s: Scope) => { args: { note?: string }[] };
    const context = { ...situation, value: (n: SettingName) => situation.values?.[n] ?? null, checkpoint: () => null };
    return lowering(value, context, 'target').args[0]?.note ?? '';
  };

  it('turns drafted tokens into steps, branches and verified tokens', () => {
    const chain = having({ speculation: 'eagle3' });
    expect(lower('draftTokens', 3, chain)).toBe(
      '--speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4',
    );
    const tree = having({ speculation: 'eagle', draftTreeTopK: 4, draftTreeDepth: 3 });
    expect(lower('draftTokens', 15, tree)).toBe(
      '--speculative-num-steps 3 --speculative-eagle-topk 4 --speculative-num-draft-tokens 16',
    );
    expect(lower('draftTokens', 15, having({ speculation: 'eagle', draftTreeTopK: 8 }))).toMatch(/num-steps 2 /);
    expect(lower('draftTreeTopK', 4, having({ speculation: 'eagle', draftTokens: 15 }))).toBe('by draftTokens');
    expect(lower('draftTokens', 11, having({ speculation: 'prompt-lookup' }))).toBe(
      '--speculative-num-draft-tokens 12',
    );
    expect(lower('draftTokens', 15, having({ speculation: 'dflash' }))).toBe(
      '--speculative-num-draft-tokens 16 --speculative-dflash-block-size 16',
    );
    expect(lower('promptLookupMaxTokens', 12, having({ speculation: 'prompt-lookup' }))).toBe(
      '--speculative-ngram-max-trie-depth 12',
    );
    expect(lower('draftTreeTopK', 5, having({ speculation: 'prompt-lookup' }))).toBe(
      '--speculative-ngram-max-bfs-breadth 5',
    );
  });

  it.each<[SettingValues['speculation'], string]>([
    ['draft-model', 'STANDALONE'],
    ['prompt-lookup', 'NGRAM'],
    ['eagle', 'EAGLE'],
    ['eagle3', 'EAGLE3'],
    ['mtp', 'NEXTN'],
    ['dflash', 'DFLASH'],
  ])('%s is %s', (method, algorithm) => {
    expect(lower('speculation', method)).toBe(`--speculative-algorithm ${algorithm}`);
  });

  it('subtracts activations and graphs from the share of the device', () => {
    // An H100: 512 + 1.5 × 8192 + 128 + 2 × 256 MiB = 13.1 GiB.
    expect(lower('memoryFraction', 0.9)).toBe('--mem-fraction-static 0.735');
    expect(noted('memoryFraction', 0.9, gpu)).toMatch(/0\.9 − 13\.1 ÷ 79\.6 GiB = 0\.735/);
    // 24 GB: 512 + 1.5 × 2048 + 128 + 2 × 24 MiB.
    expect(noted('memoryFraction', 0.9, on('RTX-4090'))).toMatch(/0\.9 − 3\.7 ÷ 22\.4 GiB = 0\.735/);
    expect(lower('memoryFraction', 0.9, on('RTX-4090', { values: { cudaGraphs: 'off' } }))).toMatch(/ 0\.737$/);
  });

  it('spreads a cache tier over the ranks, in whole gigabytes', () => {
    expect(lower('kvTierBytes', 200e9, having({ kvTier: 'host-memory', tensorParallel: 4 }))).toBe('--hicache-size 50');
    expect(lower('kvTierBytes', 200e9, having({ kvTier: 'disk', tensorParallel: 4 }))).toBe(
      'SGLANG_HICACHE_FILE_BACKEND_MAX_SIZE=50000000000',
    );
    expect(noted('kvTierBytes', 200e9, having({ kvTier: 'host-memory', tensorParallel: 4 }))).toBe(
      'GB for each rank: 200.0 GB ÷ 4 ranks = 50',
    );
    expect(lower('kvTierBytes', 4e9, having({ kvTier: 'lmcache' }))).toMatch(/^but: .*its own server/);
    expect(lower('kvTier', 'mooncake')).toMatch(/backend mooncake \| but: .*master_server_address/);
    expect(lower('kvTier', 'lmcache')).toMatch(/^--enable-lmcache \| but: .*--lmcache-config-file/);
  });

  it('carves attention, expert and context groups out of the tensor-parallel ranks', () => {
    const eight = having({ tensorParallel: 8 });
    expect(lower('attentionDataParallel', 8, eight)).toBe('--dp-size 8 --enable-dp-attention');
    expect(noted('attentionDataParallel', 4, eight)).toMatch(/8 ranks ÷ 4 = attention over 2/);
    expect(lower('expertParallel', 8, eight)).toBe('--ep-size 8');
    expect(lower('contextParallel', 4, eight)).toBe('--attn-cp-size 4 --enable-prefill-cp --cp-strategy zigzag');
    expect(noted('prefillTokensPerStep', 8192, having({ attentionDataParallel: 8 }))).toMatch(
      /÷ 8 attention groups = 1024/,
    );
  });

  it('binds threads of a CPU rank by rank', () => {
    expect(lower('threads', 4, cpu)).toBe('SGLANG_CPU_OMP_THREADS_BIND=0-3');
    expect(lower('threads', 4, having({ tensorParallel: 2 }, cpu))).toBe('SGLANG_CPU_OMP_THREADS_BIND=0-3|4-7');
    expect(lower('threads', 1, cpu)).toBe('SGLANG_CPU_OMP_THREADS_BIND=0');
  });

  it('chooses by generation: kernels, fusion, formats', () => {
    expect(lower('flashAttention', 'on', on('B200'))).toBe('--attention-backend fa4');
    expect(lower('flashAttention', 'on', on('MI300X'))).toBe('--attention-backend aiter');
    expect(lower('attentionBackend', 'trtllm', on('B200'))).toBe('--attention-backend trtllm_mha');
    expect(lower('attentionBackend', 'trtllm', mla('B200'))).toBe('--attention-backend trtllm_mla');
    expect(lower('attentionBackend', 'flash-attention-3', mla('H100-SXM'))).toBe('--attention-backend fa3');
    expect(lower('kvCacheKeyType', 'NVFP4', on('B200'))).toBe('--kv-cache-dtype nvfp4');
    expect(lower('kvCacheKeyType', 'F16', having({ computeDtype: 'float16' }))).toBe('--kv-cache-dtype auto');
    expect(lower('kvCacheKeyType', 'FP8', cpu)).toMatch(/fp8_e4m3 \| but: /);
    expect(lower('kvCacheValueType', 'FP8', having({ kvCacheKeyType: 'FP8' }))).toBe('by kvCacheKeyType');
    expect(lower('operatorFusion', 'on', having({ tensorParallel: 4 }))).toMatch(/allreduce-fusion-backend auto$/);
    expect(lower('operatorFusion', 'on', on('MI300X', { values: { tensorParallel: 4 } }))).toMatch(/aiter-allreduce/);
    expect(lower('torchCompile', 'on')).toMatch(/^--enable-torch-compile \| but: .*out of maintenance/);
    expect(lower('prefillTokensPerStep', 4096, having({ chunkedPrefill: 'off' }))).toBe('--max-prefill-tokens 4096');
    expect(lower('priorityHighFirst', false, having({ schedulingPolicy: 'priority' }))).toBe(
      '--schedule-low-priority-values-first',
    );
    expect(lower('priorityHighFirst', true, having({ schedulingPolicy: 'priority' }))).toBe('');
    expect(lower('loraMaxRank', 16, having({ loraAdapters: [{ name: 'a', source: 'b' }] }))).toBe('--max-lora-rank 16');
    expect(lower('loraMaxActive', 4, having({ loraAdapters: [{ name: 'a', source: 'b' }] }))).toBe(
      '--max-loras-per-batch 4',
    );
  });

  it('pins images by device', () => {
    const image = (id: string, kind: 'cpu' | 'gpu') => sglang.image({ hardware: { id, kind }, version: '0.5.18' });
    expect(image('H100-SXM', 'gpu')).toBe('lmsysorg/sglang:v0.5.18');
    expect(image('MI300X', 'gpu')).toBe('lmsysorg/sglang:v0.5.18-rocm720-mi30x');
    expect(image('MI355X', 'gpu')).toBe('lmsysorg/sglang:v0.5.18-rocm720-mi35x');
    expect(image('cpu-local', 'cpu')).toBe('lmsysorg/sglang:v0.5.18-xeon');
  });
});
