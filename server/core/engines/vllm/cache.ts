import type { Scope, SettingValues } from '../../plan/settings';
import { capabilityOf, describeDevice } from '../device';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, args, caution, inTarget, several, unsupported } from '../lower';
import { insideDraft } from './inside-speculation';

const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';
const BACKENDS = 'vLLM @017e9f4448, vllm/v1/attention/backends';
const PLATFORM_CPU = 'vLLM @017e9f4448, vllm/platforms/cpu.py';
const CACHE = 'vLLM @017e9f4448, vllm/config/cache.py';
const CORE = 'vLLM @017e9f4448, vllm/v1/core (absence)';

export const KV_DTYPES: Readonly<Record<string, string>> = {
  F16: 'float16',
  BF16: 'bfloat16',
  FP8: 'fp8',
  FP8_E5M2: 'fp8_e5m2',
  INT8: 'int8_per_token_head',
  INT4: 'int4_per_token_head',
  NVFP4: 'nvfp4',
};

/** Why a device has no kernel that reads a cache of this type; null: it has, or nobody recorded it. */
function deviceFault(type: string, ctx: LoweringContext): Lowered | null {
  if (type === 'F16' || type === 'BF16') return null;
  if (ctx.hardware.kind === 'cpu') return unsupported(`no CPU attention kernel reads an ${type} cache`, PLATFORM_CPU);
  const capability = capabilityOf(ctx.hardware);
  const isFp8 = type === 'FP8' || type === 'FP8_E5M2';
  if (isFp8 && capability !== null && capability < 80) {
    return unsupported(`no attention kernel reads an FP8 cache on ${ctx.hardware.id}`, `${BACKENDS}/*`);
  }
  if (type === 'NVFP4' && capability !== 100 && capability !== 103) {
    return unsupported(
      `an NVFP4 cache needs the TensorRT-LLM kernels of compute capability 10.0 and 10.3; ${describeDevice(ctx.hardware)}`,
      `${BACKENDS}/flashinfer.py, supports_kv_cache_dtype`,
    );
  }
  return null;
}

/** One argument covers keys and values: `value` is refused where it differs from the keys. */
function lowerKvType(part: 'key' | 'value', type: string, ctx: LoweringContext, scope: Scope): Lowered {
  const source = `${ARG_UTILS}, --kv-cache-dtype`;
  if (scope !== 'target' && scope !== 'draft') return unsupported(`the scope ${scope} has no cache of its own`, source);
  const other = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType', scope);
  if (other !== null && other !== type) {
    return unsupported(`vLLM keeps keys and values in one type, not ${type} beside ${other}`, source);
  }
  const dtype = KV_DTYPES[type];
  if (dtype === undefined) {
    return unsupported(
      `vLLM has no ${type} cache (GGML block types are llama.cpp's); it takes ${Object.keys(KV_DTYPES).join(', ')}`,
      source,
    );
  }
  const fault = deviceFault(type, ctx);
  if (fault) return fault;
  if (scope === 'draft') return insideDraft(ctx);
  if (part === 'key') return arg('--kv-cache-dtype', dtype, 'keys and values');
  // Asked for values alone, the argument covers the keys too.
  return ctx.value('kvCacheKeyType') === null
    ? arg('--kv-cache-dtype', dtype, 'keys and values')
    : { kind: 'carried', by: 'kvCacheKeyType' };
}

const GIB = 2 ** 30;
/** GiB with three decimals at most. */
const inGib = (bytes: number): number => Math.round((bytes / GIB) * 1000) / 1000;

type Tier = SettingValues['kvTier'];

const onCpu = (ctx: LoweringContext): Lowered | null =>
  ctx.hardware.kind === 'cpu' ? unsupported('on a CPU the cache is in host memory already', PLATFORM_CPU) : null;

function lowerTier(tier: Tier, ctx: LoweringContext): Lowered {
  const refused = onCpu(ctx);
  if (refused) return refused;
  if (tier === 'disk') {
    return unsupported(
      "vLLM's own tier is host memory; a disk stands behind LMCache, in a configuration of its own",
      'vLLM @017e9f4448, vllm/v1/kv_offload; LMCache docs, local storage',
    );
  }
  if (tier === 'mooncake') {
    const config = { kv_connector: 'MooncakeStoreConnector', kv_role: 'kv_both' };
    return several(
      arg('--kv-transfer-config', JSON.stringify(config)),
      caution(
        'a Mooncake master must run, and MOONCAKE_CONFIG_PATH on the worker name the file that says where',
        'vLLM @017e9f4448, vllm/distributed/kv_transfer/kv_connector/v1/mooncake',
      ),
    );
  }
  if (ctx.value('kvTierBytes') === null) {
    return unsupported(`vLLM moves nothing to ${tier} without a size`, `${CACHE}, kv_offloading_size`);
  }
  return arg('--kv-offloading-backend', tier === 'lmcache' ? 'lmcache' : 'native');
}

function lowerTierBytes(bytes: number, ctx: LoweringContext): Lowered {
  const refused = onCpu(ctx);
  if (refused) return refused;
  switch (ctx.value('kvTier')) {
    case null:
      return unsupported('a size means nothing without a tier', CACHE);
    case 'mooncake':
      return unsupported(
        "the size of a Mooncake store stands in the store's own configuration",
        'Mooncake docs, store',
      );
    default:
      return arg('--kv-offloading-size', inGib(bytes), `${bytes} bytes ÷ 2^30, over all tensor-parallel ranks`);
  }
}

const SLIDING_SOURCE = 'vLLM @017e9f4448, vllm/config/vllm.py, need_disable_hybrid_kv_cache_manager';

export const vllmCache = {
  kvCacheKeyType: (type, ctx, scope) => lowerKvType('key', type, ctx, scope),
  kvCacheValueType: (type, ctx, scope) => lowerKvType('value', type, ctx, scope),
  prefixCaching: inTarget('prefixCaching', ARG_UTILS, (state) =>
    arg(state === 'on' ? '--enable-prefix-caching' : '--no-enable-prefix-caching'),
  ),
  staticKvCache: inTarget('staticKvCache', CACHE, (state) =>
    state === 'off'
      ? already
      : unsupported('vLLM keeps its cache in pages always', 'vLLM @017e9f4448, vllm/v1/core/kv_cache_manager.py'),
  ),
  kvBlockTokens: inTarget('kvBlockTokens', CACHE, (tokens) => arg('--block-size', tokens)),
  slidingWindow: inTarget('slidingWindow', SLIDING_SOURCE, (state) =>
    state === 'on'
      ? already
      : arg('--disable-hybrid-kv-cache-manager', null, 'layers with a window get as many pages as the others'),
  ),
  slidingWindowTokens: {
    unsupported: 'vLLM takes the window from the configuration of the model; it imposes none',
    source: 'vLLM @017e9f4448, vllm/config/model.py',
  },
  kvTier: inTarget('kvTier', CACHE, lowerTier),
  kvTierBytes: inTarget('kvTierBytes', CACHE, lowerTierBytes),
  kvEviction: {
    unsupported: 'vLLM drops no tokens by importance: a full cache preempts whole sequences',
    source: CORE,
  },
  contextTokensPerSequence: (tokens, ctx, scope) => {
    if (scope === 'draft') return insideDraft(ctx);
    if (scope !== 'target') return unsupported(`no context can be set for the scope ${scope}`, ARG_UTILS);
    return arg('--max-model-len', tokens, 'of one sequence; the cache is sized from the memory left');
  },
  sinkTokens: {
    unsupported:
      'vLLM drops no tokens from its cache: it has no attention sinks or window other than those of the model',
    source: CORE,
  },
  memoryFraction: inTarget('memoryFraction', CACHE, (fraction, ctx) =>
    ctx.hardware.kind === 'cpu'
      ? unsupported(
          'vLLM on a CPU sizes its cache in GiB (VLLM_CPU_KVCACHE_SPACE), not as a share',
          'vLLM @017e9f4448, docs/getting_started/installation/cpu.md',
        )
      : arg('--gpu-memory-utilization', fraction, "share of the device's whole memory"),
  ),
  cpuOffloadBytes: inTarget('cpuOffloadBytes', CACHE, (bytes, ctx) =>
    ctx.hardware.kind === 'cpu'
      ? unsupported('on a CPU the weights are in host memory already', PLATFORM_CPU)
      : args({ flag: '--cpu-offload-gb', value: String(inGib(bytes)), note: `${bytes} bytes ÷ 2^30, for each GPU` }),
  ),
} satisfies Partial<LoweringTable>;
