import type { SettingValues } from '../../plan/settings';
import { capabilityOf, describeDevice } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { already, caution, configEntries, several, unsupported } from '../lower';
import { isAtLeast } from '../version';
import { shareAfterWeights } from '../weight-memory';

const SOURCE = 'TensorRT-LLM @00043967, tensorrt_llm/llmapi/llm_args.py';
const QUANTIZATION = 'TensorRT-LLM @09d4c79b, docs/source/features/quantization.md';
const SPARSE = 'TensorRT-LLM @06e777cb, docs/source/features/sparse-attention.md';

const KV_DTYPES: Readonly<Record<string, string>> = {
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
  FP8: 'fp8',
  NVFP4: 'nvfp4',
};

function kvRefusal(type: string, ctx: LoweringContext): Lowered | null {
  if (type === 'INT8') {
    return unsupported(
      'an INT8 cache belongs to the older TensorRT engine path; take FP8 or NVFP4',
      QUANTIZATION,
      'vllm',
    );
  }
  if (KV_DTYPES[type] === undefined) {
    return unsupported(
      `there is no ${type} cache; it takes F32, F16, BF16, FP8 (E4M3) and NVFP4`,
      `${SOURCE}, KvCacheConfig.dtype`,
    );
  }
  const capability = capabilityOf(ctx.hardware);
  if (type === 'NVFP4' && capability !== null && capability < 100) {
    return unsupported(`an NVFP4 cache needs Blackwell; ${describeDevice(ctx.hardware)}`, QUANTIZATION);
  }
  return null;
}

/** One entry covers keys and values: the values are carried by the keys, and refused where they differ. */
export function lowerTensorrtKvType(part: 'key' | 'value', type: string, ctx: LoweringContext): Lowered {
  const other = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType');
  if (other !== null && other !== type) {
    return unsupported(`keys and values are kept in one type, not ${type} beside ${other}`, SOURCE);
  }
  const refusal = kvRefusal(type, ctx);
  if (refusal !== null) return refusal;
  if (part === 'value' && other !== null) return { kind: 'carried', by: 'kvCacheKeyType' };
  return configEntries({ 'kv_cache_config.dtype': KV_DTYPES[type] }, 'keys and values');
}

/** Off: the window of every layer is the whole served length. */
export function lowerTensorrtSlidingWindow(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'on') return already;
  const tokens = ctx.value('contextTokensPerSequence');
  if (tokens === null) {
    return unsupported(
      'keeping every token needs the served length, which nobody set',
      `${SOURCE}, max_attention_window`,
    );
  }
  return configEntries(
    { 'kv_cache_config.max_attention_window': [tokens] },
    `every layer keeps ${tokens} tokens, the whole sequence`,
  );
}

export const lowerTensorrtWindow = (tokens: number): Lowered =>
  configEntries({ 'kv_cache_config.max_attention_window': [tokens] }, `${tokens} tokens, repeated for every layer`);

/** The tier itself; its size is an entry of its own. */
export function lowerTensorrtTier(tier: SettingValues['kvTier'], ctx: LoweringContext): Lowered {
  switch (tier) {
    case 'host-memory':
      return ctx.value('kvTierBytes') === null
        ? unsupported('a host tier needs its size (host_cache_size has no other switch)', SOURCE)
        : { kind: 'carried', by: 'kvTierBytes' };
    case 'disk':
      if (!isAtLeast(ctx.version, '1.3')) {
        return unsupported(`the disk tier belongs to KV cache manager V2, after 1.2; this is ${ctx.version}`, SOURCE);
      }
      return ctx.value('kvTierBytes') === null
        ? unsupported('a disk tier needs its size', SOURCE)
        : configEntries(
            { 'kv_cache_config.use_kv_cache_manager_v2': true, 'kv_cache_config.disk_cache_path': '/tmp' },
            'a folder that exists in every container',
          );
    case 'lmcache':
      return isAtLeast(ctx.version, '1.3')
        ? configEntries(
            { 'kv_connector_config.connector': 'lmcache' },
            'LMCache reads its own settings from the environment',
          )
        : unsupported(
            `the name lmcache of kv_connector_config came after 1.2 (it takes a module and two classes there); this is ${ctx.version}`,
            SOURCE,
          );
    case 'mooncake':
      return unsupported(
        'Mooncake carries the cache between prefill and decode servers only; it is no tier',
        SOURCE,
        'vllm',
      );
  }
}

export function lowerTensorrtTierBytes(size: number, ctx: LoweringContext): Lowered {
  switch (ctx.value('kvTier')) {
    case 'host-memory':
      return configEntries({ 'kv_cache_config.host_cache_size': size }, 'bytes, for the whole engine');
    case 'disk':
      return configEntries({ 'kv_cache_config.disk_cache_size': size }, 'bytes, for the whole engine');
    case null:
      return unsupported('the size of a tier means nothing without the tier', SOURCE);
    default:
      return unsupported('LMCache takes its size from its own settings (LMCACHE_MAX_LOCAL_CPU_SIZE)', SOURCE);
  }
}

/** RocketKV drops prompt tokens; TriAttention needs a file that no plan holds. */
export function lowerTensorrtEviction(method: SettingValues['kvEviction'], ctx: LoweringContext): Lowered {
  if (method === 'triattention') {
    return unsupported(
      'TriAttention scores tokens by a calibration file made offline for the model (calibration_path, required), which a plan does not hold; it also came after 1.3.0rc24',
      `${SOURCE}, TriAttentionKvCacheCompressionConfig`,
    );
  }
  const capability = capabilityOf(ctx.hardware);
  if (capability !== null && capability < 100) {
    return unsupported(`RocketKV needs compute capability 10.0; ${describeDevice(ctx.hardware)}`, SPARSE);
  }
  if (ctx.value('chunkedPrefill') === 'on') {
    return unsupported('RocketKV excludes chunked prefill', SPARSE);
  }
  return several(
    configEntries(
      { 'sparse_attention_config.algorithm': 'rocket', 'kv_cache_config.enable_block_reuse': false },
      'cache reuse must be off',
    ),
    caution(
      'a prototype: drops prompt tokens beyond prompt_budget (2048 unless set), and prefixes are not reused',
      SPARSE,
    ),
  );
}

/** The engine means a share of what is left after weights; vLLM's meaning is converted. */
export function lowerTensorrtMemory(fraction: number, ctx: LoweringContext): Lowered {
  const found = shareAfterWeights(fraction, ctx);
  return found.ok
    ? configEntries({ 'kv_cache_config.free_gpu_memory_fraction': found.share }, found.note)
    : unsupported(
        `free_gpu_memory_fraction is the share of what is left after weights, and ${found.reason}: the share of the whole device cannot be converted`,
        `${SOURCE}, KvCacheConfig.free_gpu_memory_fraction`,
      );
}
