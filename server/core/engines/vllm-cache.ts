import { findHardware } from '../facts/hardware';
import type { Lowered, LoweringContext } from './engine';
import { arg, unsupported } from './lower';

const BACKENDS = 'vLLM @017e9f4448, vllm/v1/attention/backends';
const PLATFORM_CPU = 'vLLM @017e9f4448, vllm/platforms/cpu.py';

/** Compute capability × 10 of an NVIDIA device; null for others and where nobody recorded it. */
export function computeCapability(ctx: LoweringContext): number | null {
  const facts = findHardware(ctx.hardware.id);
  if (facts?.vendor !== 'nvidia' || facts.computeCapability === null) return null;
  return Math.round(Number(facts.computeCapability) * 10);
}

export function lowerFlashAttention(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') {
    return unsupported('vLLM on a CPU has one attention kernel and ignores the backend', PLATFORM_CPU);
  }
  if (state === 'off') {
    return unsupported(
      'vLLM has no attention kernel that writes the score matrix: its other backends (TRITON_ATTN, FLEX_ATTENTION) tile as well',
      BACKENDS,
    );
  }
  if (findHardware(ctx.hardware.id)?.vendor === 'amd') return arg('--attention-backend', 'ROCM_AITER_FA');
  const capability = computeCapability(ctx);
  if (capability !== null && capability < 80) {
    return unsupported(
      `FlashAttention in vLLM needs compute capability 8.0; ${ctx.hardware.id} has ${capability / 10}`,
      `${BACKENDS}/flash_attn.py`,
    );
  }
  return arg('--attention-backend', 'FLASH_ATTN');
}

const KV_DTYPES: Readonly<Record<string, string>> = { F16: 'float16', BF16: 'bfloat16', FP8: 'fp8' };

/** One argument covers keys and values: `value` is refused where it differs from the keys. */
export function lowerKvType(part: 'key' | 'value', type: string, ctx: LoweringContext): Lowered {
  const source = 'vLLM @017e9f4448, vllm/engine/arg_utils.py, --kv-cache-dtype';
  const other = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType');
  if (other !== null && other !== type) {
    return unsupported(`vLLM keeps keys and values in one type, not ${type} beside ${other}`, source);
  }
  const dtype = KV_DTYPES[type];
  if (dtype === undefined) {
    return unsupported(
      `vLLM has no ${type} cache (GGML block types are llama.cpp's); it takes F16, BF16 and FP8`,
      source,
    );
  }
  if (type === 'FP8') {
    if (ctx.hardware.kind === 'cpu') return unsupported('no CPU attention kernel reads an FP8 cache', PLATFORM_CPU);
    const capability = computeCapability(ctx);
    if (capability !== null && capability < 80) {
      return unsupported(`no attention kernel reads an FP8 cache on ${ctx.hardware.id}`, `${BACKENDS}/*`);
    }
  }
  return part === 'key' ? arg('--kv-cache-dtype', dtype, 'keys and values') : { kind: 'carried', by: 'kvCacheKeyType' };
}
