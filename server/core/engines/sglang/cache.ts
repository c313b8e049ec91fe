import { findModel } from '../../facts/models';
import type { Scope, SettingValues } from '../../plan/settings';
import { KV_CACHE_TYPES } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, caution, several, unsupported } from '../lower';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';
const REGISTRY = 'SGLang v0.5.18, python/sglang/srt/layers/attention/attention_registry.py';
const HICACHE = 'SGLang v0.5.18, python/sglang/srt/mem_cache';

const usesLatentAttention = (ctx: LoweringContext): boolean | null => {
  const model = findModel(ctx.checkpoint('target')?.model ?? '');
  return model === null || model.latentAttention === null ? null : model.latentAttention !== 'none';
};

/** Name of a kernel here, or why there is none. */
type Kernel = { name: string } | Lowered;

function flashAttention3(ctx: LoweringContext): Kernel {
  const capability = capabilityOf(ctx.hardware);
  if (ctx.hardware.kind === 'cpu' || vendorOf(ctx.hardware) === 'amd') {
    return unsupported(`FlashAttention 3 is for NVIDIA GPUs; ${describeDevice(ctx.hardware)}`, REGISTRY);
  }
  if (capability !== null && (capability < 80 || capability >= 100)) {
    return unsupported(
      `FlashAttention 3 runs on compute capability 8.0 to 9.0; ${describeDevice(ctx.hardware)}`,
      `${REGISTRY}:214`,
    );
  }
  if (capability !== null && capability < 90 && usesLatentAttention(ctx) === true) {
    return unsupported(
      `FlashAttention 3 with latent attention (MLA) needs Hopper; ${describeDevice(ctx.hardware)}`,
      `${REGISTRY}:214`,
    );
  }
  return { name: 'fa3' };
}

function flashAttention4(ctx: LoweringContext): Kernel {
  const capability = capabilityOf(ctx.hardware);
  return capability === null || capability < 90
    ? unsupported(`FlashAttention 4 needs Hopper or Blackwell; ${describeDevice(ctx.hardware)}`, `${REGISTRY}, fa4`)
    : { name: 'fa4' };
}

/** The TensorRT-LLM kernels have one name for ordinary and one for latent attention. */
function tensorrtKernels(ctx: LoweringContext): Kernel {
  const capability = capabilityOf(ctx.hardware);
  const isLatent = usesLatentAttention(ctx);
  const fits =
    capability !== null && (isLatent === true ? capability >= 100 : capability === 100 || capability === 103);
  return fits
    ? { name: isLatent === true ? 'trtllm_mla' : 'trtllm_mha' }
    : unsupported(
        `the TensorRT-LLM attention kernels need Blackwell (SM100); ${describeDevice(ctx.hardware)}`,
        `${ARGS}:6017`,
      );
}

const onGpu = (name: string, ctx: LoweringContext): Kernel =>
  ctx.hardware.kind === 'cpu'
    ? unsupported(`the CPU backend computes attention with intel_amx or torch_native, not ${name}`, REGISTRY)
    : { name };

function kernelOf(backend: SettingValues['attentionBackend'], ctx: LoweringContext): Kernel {
  switch (backend) {
    case 'flash-attention-3':
      return flashAttention3(ctx);
    case 'flash-attention-4':
      return flashAttention4(ctx);
    case 'flashinfer':
      return vendorOf(ctx.hardware) === 'amd'
        ? unsupported('FlashInfer is for NVIDIA GPUs', REGISTRY)
        : onGpu('flashinfer', ctx);
    case 'triton':
      return onGpu('triton', ctx);
    case 'flex-attention':
      return onGpu('flex_attention', ctx);
    case 'sdpa':
      return { name: 'torch_native' };
    case 'trtllm':
      return tensorrtKernels(ctx);
    case 'flash-attention-2':
      return unsupported(
        'SGLang names no FlashAttention 2: fa3 covers Ampere to Hopper, FlashInfer builds on its kernels',
        ARGS,
      );
    case 'eager':
      return unsupported(
        'SGLang has no attention that writes the score matrix: even torch_native calls the fused SDPA',
        REGISTRY,
      );
  }
}

export function lowerSglangAttention(
  backend: SettingValues['attentionBackend'],
  ctx: LoweringContext,
  scope: Scope,
): Lowered {
  if (scope !== 'target' && scope !== 'draft')
    return unsupported(`no attention kernel can be chosen for the scope ${scope}`, ARGS);
  const kernel = kernelOf(backend, ctx);
  if (!('name' in kernel)) return kernel;
  return arg(scope === 'target' ? '--attention-backend' : '--speculative-draft-attention-backend', kernel.name);
}

export function lowerSglangFlashAttention(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') {
    return unsupported(
      'SGLang has no attention that writes the score matrix: its other backends tile as well',
      REGISTRY,
    );
  }
  if (vendorOf(ctx.hardware) === 'amd') return arg('--attention-backend', 'aiter', "AMD's FlashAttention kernels");
  const capability = capabilityOf(ctx.hardware);
  const kernel = capability !== null && capability >= 100 ? flashAttention4(ctx) : flashAttention3(ctx);
  return 'name' in kernel ? arg('--attention-backend', kernel.name) : kernel;
}

function kvDtype(type: SettingValues['kvCacheKeyType'], ctx: LoweringContext): string | Lowered {
  switch (type) {
    case 'BF16':
      return 'bf16';
    case 'F16':
      return ctx.value('computeDtype') === 'float16'
        ? 'auto'
        : unsupported(
            '--kv-cache-dtype has no float16: the cache follows --dtype, so ask for a compute type of float16 too',
            ARGS,
          );
    case 'FP8':
      return 'fp8_e4m3';
    case 'FP8_E5M2':
      return 'fp8_e5m2';
    case 'NVFP4': {
      const capability = capabilityOf(ctx.hardware);
      return capability !== null && [100, 103, 120, 121].includes(capability)
        ? 'nvfp4'
        : unsupported(`an NVFP4 cache needs Blackwell; ${describeDevice(ctx.hardware)}`, `${ARGS}:6080`);
    }
    default: {
      const isGgml = (KV_CACHE_TYPES as readonly string[]).includes(type);
      const why = isGgml ? "GGML types are llama.cpp's" : 'no integer cache exists here';
      return unsupported(
        `SGLang has no ${type} cache (${why}); it takes BF16, FP8 (e4m3, e5m2) and NVFP4`,
        `${ARGS}, --kv-cache-dtype`,
        isGgml ? 'llama.cpp' : undefined,
      );
    }
  }
}

/** One argument covers keys and values: `value` is refused where it differs from the keys. */
export function lowerSglangKvType(
  part: 'key' | 'value',
  type: SettingValues['kvCacheKeyType'],
  ctx: LoweringContext,
  scope: Scope,
): Lowered {
  if (scope !== 'target' && scope !== 'draft')
    return unsupported(`no cache type can be set for the scope ${scope}`, ARGS);
  const other = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType', scope);
  if (other !== null && other !== type) {
    return unsupported(
      `SGLang keeps keys and values in one type, not ${type} beside ${other}`,
      `${ARGS}, --kv-cache-dtype`,
    );
  }
  const dtype = kvDtype(type, ctx);
  if (typeof dtype !== 'string') return dtype;
  if (part === 'value' && other !== null) return { kind: 'carried', by: 'kvCacheKeyType' };
  if (scope === 'draft') {
    return dtype === 'nvfp4'
      ? unsupported('the draft keeps its cache in BF16 or FP8', `${ARGS}, --speculative-draft-kv-cache-dtype`)
      : arg('--speculative-draft-kv-cache-dtype', dtype, 'keys and values of the draft');
  }
  const lowered = arg('--kv-cache-dtype', dtype, 'keys and values');
  return type === 'FP8' && ctx.hardware.kind === 'cpu'
    ? several(
        lowered,
        caution(
          'the published matrix lists no FP8 cache for the CPU kernels',
          'SGLang v0.5.18, docs attention_backend',
        ),
      )
    : lowered;
}

/** HiCache extends the radix cache by host memory, and that by a store. */
export function lowerSglangTier(tier: SettingValues['kvTier'], ctx: LoweringContext): Lowered {
  if (ctx.value('prefixCaching') === 'off') {
    return unsupported('the tiers extend the radix cache, and prefix caching is off', `${ARGS}:8150`);
  }
  switch (tier) {
    case 'host-memory':
      return arg('--enable-hierarchical-cache', null, 'HiCache: twice the pool on the device unless a size is given');
    case 'disk':
      return args(
        { flag: '--enable-hierarchical-cache', value: null, note: 'host memory lies between device and disk' },
        { flag: '--hicache-storage-backend', value: 'file' },
      );
    case 'mooncake':
      return several(
        args(
          { flag: '--enable-hierarchical-cache', value: null },
          { flag: '--hicache-storage-backend', value: 'mooncake' },
        ),
        caution(
          'the store needs the address of its master: add --hicache-storage-backend-extra-config with master_server_address to the engine node',
          `${HICACHE}/storage/mooncake_store/mooncake_store.py`,
        ),
      );
    case 'lmcache':
      return several(
        arg('--enable-lmcache'),
        caution(
          'its connector talks to an LMCache server: add --lmcache-config-file, a YAML file with mp_host and mp_port, to the engine node',
          `${HICACHE}/storage/lmcache/lmc_radix_cache.py:140`,
        ),
      );
  }
}

const GB = 1e9;

/** Every rank keeps a pool of its own: the capacity of the tier is spread over them. */
export function lowerSglangTierBytes(bytes: number, ctx: LoweringContext): Lowered {
  const tier = ctx.value('kvTier');
  const ranks =
    (ctx.value('tensorParallel') ?? 1) * (ctx.value('pipelineParallel') ?? 1) * (ctx.value('dataParallel') ?? 1);
  const share = `${(bytes / GB).toFixed(1)} GB ÷ ${ranks} ${ranks === 1 ? 'rank' : 'ranks'}`;
  switch (tier) {
    case 'host-memory': {
      const gigabytes = Math.floor(bytes / ranks / GB);
      return gigabytes < 1
        ? unsupported(
            `--hicache-size counts whole gigabytes for each rank, and ${share} is less than one`,
            `${ARGS}, --hicache-size`,
          )
        : arg('--hicache-size', gigabytes, `GB for each rank: ${share} = ${gigabytes}`);
    }
    case 'disk':
      return { kind: 'env', env: { SGLANG_HICACHE_FILE_BACKEND_MAX_SIZE: String(Math.floor(bytes / ranks)) } };
    case 'mooncake':
    case 'lmcache':
      return caution(`the capacity of a ${tier} tier is set at its own server: nothing here bounds it`, HICACHE);
    case null:
      return unsupported('a capacity means nothing without a cache tier', HICACHE);
  }
}

export function lowerSglangPrefixCaching(state: 'on' | 'off'): Lowered {
  return state === 'off' ? arg('--disable-radix-cache') : already;
}
