import { findGgufType } from '../facts/gguf-types';
import { findHardware } from '../facts/hardware';
import { findModel } from '../facts/models';
import type { WeightScheme } from '../plan/settings';
import type { LoweringContext } from './engine';
import { readWeightFormat } from './weight-format';

/** Bits a weight, scales and zero points in groups of 128 (NVFP4: 16, MXFP: 32) included. Source: facts/quality.json. */
const SCHEME_BITS: Readonly<Record<WeightScheme, number>> = {
  'int8-w8a8': 8,
  'int8-weight-only': 8,
  fp8: 8,
  'fp8-static': 8,
  'fp8-block': 8.002,
  'awq-int4': 4.15,
  'gptq-int4': 4.15,
  'gptq-int8': 8.15,
  w4a16: 4.15,
  nvfp4: 4.5,
  mxfp4: 4.25,
  mxfp8: 8.25,
  'bnb-nf4': 4.5,
  'bnb-int8': 8,
};

const PLAIN_BITS: Readonly<Record<string, number>> = {
  bf16: 16,
  bfloat16: 16,
  fp16: 16,
  f16: 16,
  float16: 16,
  fp32: 32,
  f32: 32,
  float32: 32,
};

/** Bits that one weight of the format takes; null where the format is not known. */
export function bitsPerWeight(format: string): number | null {
  const { container, type, scheme } = readWeightFormat(format);
  if (container === 'gguf') return findGgufType(type)?.bitsPerWeight ?? null;
  return scheme === null ? (PLAIN_BITS[type.toLowerCase()] ?? null) : SCHEME_BITS[scheme];
}

const GIB = 2 ** 30;
const inGib = (bytes: number): string => (bytes / GIB).toFixed(1);

/** Weights of the target on each device, bytes: parameters × bits ÷ (8 × ranks). Null where a fact is missing. */
function weightBytesPerDevice(ctx: LoweringContext): number | null {
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return null;
  const bits = bitsPerWeight(checkpoint.format);
  const params = findModel(checkpoint.model)?.paramsTotal ?? null;
  if (bits === null || params === null) return null;
  const ranks = (ctx.value('tensorParallel') ?? 1) * (ctx.value('pipelineParallel') ?? 1);
  return (params * bits) / 8 / ranks;
}

/** A share of what weights leave free, and how it was found; or why it cannot be. */
type FreeShare = { ok: true; share: number; note: string } | { ok: false; reason: string };

/**
 * A share f of the whole device becomes the share of what is left after weights: (f × memory − weights) ÷
 * (memory − weights), rounded down to a hundredth. Activations are not in it: the engine measures those itself.
 */
export function shareAfterWeights(fraction: number, ctx: LoweringContext): FreeShare {
  const memory = findHardware(ctx.hardware.id)?.memoryBytes ?? null;
  const weights = weightBytesPerDevice(ctx);
  if (memory === null) return { ok: false, reason: `the memory of ${ctx.hardware.id} is unknown` };
  if (weights === null) return { ok: false, reason: 'the size of the weights is unknown' };
  const sum = `(${fraction} × ${inGib(memory)} − ${inGib(weights)}) ÷ (${inGib(memory)} − ${inGib(weights)}) GiB`;
  const share = Math.floor(((fraction * memory - weights) / (memory - weights)) * 100) / 100;
  if (weights >= memory || share <= 0) {
    return { ok: false, reason: `the weights alone (${inGib(weights)} GiB a device) take more than that share` };
  }
  return { ok: true, share, note: `share of what is left after weights: ${sum} = ${share}` };
}
