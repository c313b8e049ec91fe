import { describe, expect, it } from 'vitest';
import { vllm } from '@/server/core/engines/vllm';
import type { Scope, SettingName, SettingValues } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const deepseek = checkpoint({
  model: 'DeepSeek-V3',
  repo: 'deepseek-ai/DeepSeek-V3',
  format: 'safetensors:fp8-block',
  fileName: 'deepseek-ai/DeepSeek-V3',
});
const gpu = (id: string, count = 1): Situation => ({
  version: '0.28.0',
  checkpoints: [llama],
  hardware: { kind: 'gpu', id, count },
});
const H100 = gpu('H100-SXM', 8);
const cpu: Situation = {
  version: '0.28.0',
  checkpoints: [llama],
  hardware: { kind: 'cpu', id: 'cpu-local', count: 1 },
};
const withValues = (values: Partial<SettingValues>, situation = H100): Situation => ({ ...situation, values });
const lower = (name: SettingName, value: unknown, situation: Situation = H100, scope: Scope = 'target'): string =>
  lowerShort(vllm, name, value as never, situation, scope);

describe('vLLM, weights', () => {
  const online = (scheme: string, situation = H100) => {
    const format = `safetensors:${scheme}`;
    return lower('weightsFormat', format, { ...situation, checkpoints: [{ ...llama, format, source: 'online' }] });
  };
  it.each([
    ['fp8', 'fp8'],
    ['fp8-block', 'fp8_per_block'],
    ['int8-weight-only', 'int8_per_channel_weight_only'],
    ['nvfp4', 'nvfp4_per_token'],
    ['mxfp4', 'mxfp4'],
    ['mxfp8', 'mxfp8'],
  ])('makes %s at load by --quantization %s', (scheme, flag) => {
    expect(online(scheme)).toBe(`meta-llama/Llama-3.1-8B-Instruct --quantization ${flag}`);
  });

  it.each([
    ['fp8-static', H100, /calibration data/],
    ['awq-int4', H100, /checkpoint or a recipe/],
    ['gptq-int8', H100, /checkpoint or a recipe/],
    ['bnb-int8', H100, /4 bits only/],
    ['mxfp4', { ...H100, version: '0.27.1' }, /0\.27\.1 cannot .*0\.28 can/],
    ['nvfp4', gpu('MI300X'), /ROCm platform refuses/],
    ['int8-weight-only', gpu('MI300X'), /ROCm platform refuses/],
    ['mxfp8', cpu, /no CPU kernel/],
  ])('cannot make %s at load', (scheme, situation, reason) => {
    expect(online(scheme, situation)).toMatch(/^no: /);
    expect(online(scheme, situation)).toMatch(reason);
  });

  it('loads a ready checkpoint without a flag, and says which plugin bitsandbytes needs since 0.28', () => {
    const nf4 = { ...llama, repo: 'org/nf4', format: 'safetensors:bnb-nf4' };
    const load = (version: string) => lower('weightsFormat', nf4.format, { ...H100, version, checkpoints: [nf4] });
    expect(load('0.27.1')).toBe('org/nf4');
    expect(load('0.28.0')).toMatch(/^org\/nf4 \| but: the plugin vllm-bnb-plugin/);
  });

  it('loads what a recipe wrote by its folder', () => {
    const made = { ...llama, source: 'recipe' as const, fileName: 'Llama-3.1-8B-awq-int4' };
    expect(lower('weightsFormat', 'safetensors:awq-int4', { ...H100, checkpoints: [made] })).toBe(
      'Llama-3.1-8B-awq-int4',
    );
  });

  it('knows which device has bfloat16, and that zeros gain nothing', () => {
    expect(lower('computeDtype', 'bfloat16')).toBe('--dtype bfloat16');
    expect(lower('computeDtype', 'float16', gpu('T4'))).toBe('--dtype float16');
    expect(lower('computeDtype', 'bfloat16', gpu('T4'))).toMatch(/^no: bfloat16 needs compute capability 8\.0/);
    expect(lower('weightsSparsity', 'structured')).toBe('by weightsFormat');
    expect(lower('weightsSparsity', '2:4')).toMatch(/by weightsFormat \| but: its 2:4 kernels were removed/);
  });
});

describe('vLLM, attention and compilation', () => {
  const mla = { ...H100, checkpoints: [deepseek] };
  it.each<[unknown, Situation, string]>([
    ['flashinfer', H100, '--attention-backend FLASHINFER'],
    ['triton', H100, '--attention-backend TRITON_ATTN'],
    ['flex-attention', H100, '--attention-backend FLEX_ATTENTION'],
    ['flash-attention-2', H100, '--attention-backend FLASH_ATTN --attention-config {"flash_attn_version":2}'],
    ['flash-attention-3', H100, '--attention-backend FLASH_ATTN --attention-config {"flash_attn_version":3}'],
    ['flash-attention-2', gpu('MI300X'), '--attention-backend ROCM_AITER_FA'],
    ['trtllm', gpu('B200-SXM'), '--attention-backend FLASHINFER --attention-config {"use_trtllm_attention":true}'],
    ['triton', mla, '--attention-backend TRITON_MLA'],
  ])('%s → %#', (backend, situation, words) => {
    expect(lower('attentionBackend', backend, situation)).toBe(words);
  });

  it.each<[unknown, Situation, RegExp]>([
    ['eager', H100, /writes the score matrix/],
    ['sdpa', H100, /vision encoders/],
    ['trtllm', H100, /10\.0 and 10\.3/],
    ['flashinfer', gpu('MI300X'), /written for NVIDIA/],
    ['flash-attention-3', gpu('MI300X'), /version 2/],
    ['flash-attention-2', gpu('T4'), /compute capability 8\.0/],
    ['flex-attention', mla, /no kernels for latent attention/],
    ['flash-attention-2', { ...gpu('A100-80GB-SXM'), checkpoints: [deepseek] }, /Hopper only/],
    ['flashinfer', cpu, /one attention kernel/],
  ])('refuses %s where it has no kernels', (backend, situation, reason) => {
    expect(lower('attentionBackend', backend, situation)).toMatch(/^no: /);
    expect(lower('attentionBackend', backend, situation)).toMatch(reason);
  });

  it('says which version runs in the place of FlashAttention 3 elsewhere than on Hopper', () => {
    expect(lower('attentionBackend', 'flash-attention-3', gpu('A100-80GB-SXM'))).toMatch(/but: .* version 2 instead/);
    expect(lower('attentionBackend', 'flash-attention-3', gpu('B200-SXM'))).toMatch(/but: .* version 4 instead/);
  });

  it('puts compilation, graphs and fusion into one JSON, whoever asked', () => {
    expect(lower('torchCompile', 'off', withValues({ torchCompile: 'off' }))).toBe(
      '--compilation-config {"mode":0,"cudagraph_mode":"FULL_DECODE_ONLY"}',
    );
    expect(lower('cudaGraphs', 'off', withValues({ cudaGraphs: 'off' }))).toBe(
      '--compilation-config {"cudagraph_mode":"NONE"}',
    );
    const both = withValues({ torchCompile: 'off', cudaGraphs: 'off' });
    expect(lower('torchCompile', 'off', both)).toBe('--compilation-config {"mode":0,"cudagraph_mode":"NONE"}');
    expect(lower('cudaGraphs', 'off', both)).toBe('by torchCompile');
    const fused = withValues({ operatorFusion: 'on', tensorParallel: 4 });
    expect(lower('operatorFusion', 'on', fused)).toBe(
      '--compilation-config {"pass_config":{"fuse_norm_quant":true,"fuse_act_quant":true,"fuse_attn_quant":true,"fuse_allreduce_rms":true}}',
    );
    expect(lower('operatorFusion', 'on', withValues({ torchCompile: 'off' }))).toMatch(/^no: .*inside torch\.compile/);
    expect(lower('cudaGraphs', 'on', cpu)).toMatch(/^no: a CPU has no graphs/);
  });

  it('counts tokens in the largest graph', () => {
    expect(lower('cudaGraphMaxBatch', 64)).toBe('--max-cudagraph-capture-size 64');
    const speculating = withValues({ speculation: 'mtp', draftTokens: 3 });
    expect(lower('cudaGraphMaxBatch', 64, speculating)).toBe('--max-cudagraph-capture-size 256');
  });
});

describe('vLLM, cache', () => {
  it.each<[SettingName, unknown, Situation, string]>([
    ['kvCacheKeyType', 'FP8_E5M2', H100, '--kv-cache-dtype fp8_e5m2'],
    ['kvCacheKeyType', 'INT8', H100, '--kv-cache-dtype int8_per_token_head'],
    ['kvCacheKeyType', 'NVFP4', gpu('B200-SXM'), '--kv-cache-dtype nvfp4'],
    ['kvBlockTokens', 32, H100, '--block-size 32'],
    ['slidingWindow', 'off', H100, '--disable-hybrid-kv-cache-manager'],
    ['kvTier', 'host-memory', withValues({ kvTierBytes: 2 ** 34 }), '--kv-offloading-backend native'],
    ['kvTier', 'lmcache', withValues({ kvTierBytes: 2 ** 34 }), '--kv-offloading-backend lmcache'],
    ['kvTierBytes', 2 ** 34, withValues({ kvTier: 'host-memory' }), '--kv-offloading-size 16'],
    ['cpuOffloadBytes', 3 * 2 ** 29, H100, '--cpu-offload-gb 1.5'],
  ])('%s %s', (name, value, situation, words) => {
    expect(lower(name, value, situation)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['kvCacheKeyType', 'NVFP4', H100, /10\.0 and 10\.3/],
    ['kvTier', 'host-memory', H100, /without a size/],
    ['kvTier', 'disk', H100, /host memory/],
    ['kvTier', 'host-memory', cpu, /host memory already/],
    ['kvTierBytes', 1, H100, /without a tier/],
    ['staticKvCache', 'on', H100, /pages always/],
    ['slidingWindowTokens', 1024, H100, /imposes none/],
    ['kvEviction', 'rocket', H100, /no tokens by importance/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });
});

describe('vLLM, parallelism', () => {
  const moe = (values: Partial<SettingValues> = {}) => withValues(values, { ...H100, checkpoints: [deepseek] });
  it('multiplies degrees and refuses more than there are devices', () => {
    expect(lower('pipelineParallel', 2, withValues({ tensorParallel: 4 }))).toBe('--pipeline-parallel-size 2');
    expect(lower('pipelineParallel', 4, withValues({ tensorParallel: 4 }))).toMatch(
      /^no: 4 tensor-parallel ranks × 4 pipeline stages need 16 devices; there are 8/,
    );
    expect(lower('dataParallel', 2)).toBe('--data-parallel-size 2');
    expect(lower('contextParallel', 2, withValues({ tensorParallel: 8 }))).toBe('--decode-context-parallel-size 2');
    expect(lower('contextParallel', 3, withValues({ tensorParallel: 8 }))).toMatch(/^no: .*do not divide/);
  });

  it('spreads experts over all ranks or not at all', () => {
    expect(lower('expertParallel', 8, moe({ tensorParallel: 8 }))).toBe('--enable-expert-parallel');
    expect(lower('expertParallel', 4, moe({ tensorParallel: 8 }))).toMatch(/^no: .*8 tensor-parallel × 1.* = 8, not/);
    expect(lower('expertParallel', 8, moe({ tensorParallel: 2, attentionDataParallel: 4 }))).toBe(
      '--enable-expert-parallel',
    );
    expect(lower('attentionDataParallel', 8, moe())).toBe('--data-parallel-size 8');
    expect(lower('attentionDataParallel', 8)).toMatch(/^no: .*the model has none/);
    expect(lower('dataParallel', 2, moe())).toMatch(/but: the experts are not copied/);
  });
});

describe('vLLM, speculation', () => {
  const draft = checkpoint({ scope: 'draft', model: 'x', repo: 'org/draft', format: 'safetensors:bfloat16' });
  const at = (
    method: SettingValues['speculation'],
    values: Partial<SettingValues> = { draftTokens: 3 },
    drafted = true,
  ) =>
    lower('speculation', method, {
      ...H100,
      checkpoints: drafted ? [llama, draft] : [llama],
      values: { speculation: method, ...values },
    });
  it.each<[SettingValues['speculation'], string]>([
    ['eagle', 'eagle'],
    ['eagle3', 'eagle3'],
    ['medusa', 'medusa'],
    ['mlp-speculator', 'mlp_speculator'],
    ['dflash', 'dflash'],
  ])('%s takes a draft', (method, name) => {
    expect(at(method)).toBe(`--speculative-config {"method":"${name}","model":"org/draft","num_speculative_tokens":3}`);
    expect(at(method, { draftTokens: 3 }, false)).toMatch(/^no: .*needs a draft checkpoint/);
  });

  it('MTP takes its own layers or a draft; suffix decoding needs a package', () => {
    expect(at('mtp', { draftTokens: 1 }, false)).toBe(
      '--speculative-config {"method":"mtp","num_speculative_tokens":1}',
    );
    expect(at('mtp', {}, false)).toMatch(/^no: .*number of drafted tokens/);
    expect(at('suffix', {}, false)).toMatch(/{"method":"suffix"} \| but: the package arctic-inference/);
  });

  it('carries what is asked of the draft', () => {
    const values = { speculation: 'draft-model' as const, draftTokens: 3, tensorParallel: 4 };
    const situation = { ...H100, values, checkpoints: [llama, draft] };
    expect(lower('tensorParallel', 1, situation, 'draft')).toBe('by speculation');
    expect(lower('tensorParallel', 4, situation, 'draft')).toBe('by speculation');
    expect(lower('tensorParallel', 2, situation, 'draft')).toMatch(/^no: a draft runs on one rank/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', withValues({ speculation: 'suffix' }), 'draft')).toMatch(
      /^no: suffix drafts without a model/,
    );
    expect(lower('draftTreeTopK', 4)).toMatch(/^no: .*no tree/);
    expect(lower('draftTreeDepth', 3, withValues({ draftTokens: 3, speculation: 'eagle3' }))).toBe('by speculation');
  });
});

describe('vLLM, serving', () => {
  it.each<[SettingName, unknown, Situation, string]>([
    ['chunkedPrefill', 'off', H100, '--no-enable-chunked-prefill'],
    ['schedulingPolicy', 'priority', H100, '--scheduling-policy priority'],
    ['priorityHighFirst', false, withValues({ schedulingPolicy: 'priority' }), 'by schedulingPolicy'],
    ['streamIntervalTokens', 8, H100, '--stream-interval 8'],
    ['metricsEndpoint', 'off', H100, '--disable-log-stats'],
    ['structuredOutputBackend', 'guidance', H100, '--structured-outputs-config {"backend":"guidance"}'],
    ['torchProfilerFolder', '/traces', H100, '--profiler-config {"profiler":"torch","torch_profiler_dir":"/traces"}'],
    ['torchProfilerFolder', '/traces', { ...H100, version: '0.12.0' }, 'VLLM_TORCH_PROFILER_DIR=/traces'],
    ['loraMaxRank', 24, withValues({ loraAdapters: [{ name: 'a', source: 'b' }] }), '--max-lora-rank 32'],
    ['loraMaxActive', 4, withValues({ loraAdapters: [{ name: 'a', source: 'b' }] }), '--max-loras 4'],
  ])('%s %s', (name, value, situation, words) => {
    expect(lower(name, value, situation)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['schedulingPolicy', 'longest-prefix', H100, /by cached prefix/],
    ['priorityHighFirst', true, withValues({ schedulingPolicy: 'priority' }), /smaller priority goes first/],
    ['priorityHighFirst', false, H100, /without the priority policy/],
    ['preemption', 'swap', H100, /computes a preempted sequence again/],
    ['batchWaitMs', 10, H100, /batches continuously/],
    ['torchProfilerFolder', 'traces', H100, /absolute path/],
    ['loraMaxRank', 600, withValues({ loraAdapters: [{ name: 'a', source: 'b' }] }), /up to 512/],
    ['loraMaxRank', 8, H100, /without adapters/],
    ['cpuExpertLayers', 4, H100, /on the devices/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });
});
