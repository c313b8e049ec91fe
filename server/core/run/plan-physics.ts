import { bitsPerWeight } from '../engines/weight-memory';
import { findGgufType } from '../facts/gguf-types';
import { findHardware } from '../facts/hardware';
import type { HardwareFacts } from '../facts/hardware-facts';
import type { ModelFacts } from '../facts/model-facts';
import { findModel } from '../facts/models';
import type { PhysicsFacts, PhysicsInput } from '../metrics/physics-input';
import type { Component, Plan } from '../plan/plan';

/** Bits of a weight in formats that carry no more than their number; scales would only lift the floor. */
const SAFETENSORS_BITS: Readonly<Record<string, number>> = {
  float32: 32,
  fp32: 32,
  bfloat16: 16,
  bf16: 16,
  float16: 16,
  fp16: 16,
  fp8: 8,
  int8: 8,
  awq: 4,
  gptq: 4,
  int4: 4,
  fp4: 4,
  nvfp4: 4,
  mxfp4: 4,
};
/** ggml block sizes: values and their scales, bits each. */
const KV_BITS: Readonly<Record<string, number>> = {
  F32: 32,
  F16: 16,
  BF16: 16,
  FP8: 8,
  Q8_0: 8.5,
  Q5_1: 6,
  Q5_0: 5.5,
  Q4_0: 4.5,
  IQ4_NL: 4.5,
};
/**
 * Largest last-level cache of a device of that kind (AMD MI300X: 256 MB Infinity Cache; EPYC 9684X: 1,152 MB L3): a
 * working set under it may be read without touching memory, so bandwidth bounds nothing.
 */
const LARGEST_CACHE_BYTES = { gpu: 256 * 2 ** 20, cpu: 1152 * 2 ** 20 } as const;

const skip = (skipped: string): PhysicsInput => ({ facts: null, skipped });

/** Bits per weight as loaded; null where the format tells nothing. */
export function weightBits(format: string): number | null {
  const [container = '', type = ''] = format.split(':');
  if (container === 'gguf') return findGgufType(type)?.bitsPerWeight ?? null;
  const name = container === 'safetensors' ? type : container;
  return SAFETENSORS_BITS[name.toLowerCase()] ?? bitsPerWeight(format);
}

const settingOf = (plan: Plan, name: string): unknown => {
  const setting = plan.settings[name];
  return setting?.asked ?? setting?.default ?? null;
};

/** Parameters that a decode step reads: those of the experts in use; the input embedding only where it is the head. */
function stepParams(model: ModelFacts): number | null {
  if (model.paramsActive === null || model.paramsEmbedding === null) return null;
  return model.paramsActive - (model.tiedEmbeddings === true ? 0 : model.paramsEmbedding);
}

/** Each prompt token passes the layers; embedding and head are left out (the head runs for the last one only). */
function promptFlops(model: ModelFacts): number | null {
  if (model.paramsActive === null || model.paramsEmbedding === null) return null;
  return 2 * Math.max(0, model.paramsActive - (model.tiedEmbeddings === true ? 1 : 2) * model.paramsEmbedding);
}

/** 0 where the cache is windowed or its type unknown: the floor leaves it out then. */
function kvBytesPerToken(plan: Plan, model: ModelFacts): number {
  const windowed = model.slidingWindowTokens !== null || typeof settingOf(plan, 'sinkTokens') === 'number';
  if (windowed || model.kvBytesPerTokenBf16 === null) return 0;
  const bits = ['kvCacheKeyType', 'kvCacheValueType'].map((name) => KV_BITS[String(settingOf(plan, name))]);
  const [key, value] = bits;
  return key === undefined || value === undefined ? 0 : (model.kvBytesPerTokenBf16 * (key + value)) / 32;
}

/** Tokens that a step may draft; null where speculation is on and nobody says how many. */
function draftTokens(plan: Plan): number | null {
  const speculation = settingOf(plan, 'speculation');
  if (speculation === null || speculation === 'off') return 0;
  const counts = ['draftTokens', 'promptLookupMaxTokens'].map((name) => settingOf(plan, name));
  const known = counts.filter((k): k is number => typeof k === 'number');
  return known.length === 0 ? null : Math.max(...known);
}

/** Devices on one token: the tensor-parallel size, or all of them where it is not said (which lowers the floor). */
function devicesOf(plan: Plan, component: Component): number {
  const tensorParallel = settingOf(plan, 'tensorParallel');
  return typeof tensorParallel === 'number' ? tensorParallel : component.hardware.count;
}

const peakFlopsOf = (hardware: HardwareFacts): number | null => {
  const peaks = Object.values(hardware.peakTflops);
  return peaks.length === 0 ? null : Math.max(...peaks) * 1e12;
};

/** Facts behind the physics checks of a plan's points, or what is missing. Lower bounds throughout. */
export function planPhysics(plan: Plan): PhysicsInput {
  const component = plan.components.find((c) => c.role === 'engine' || c.role === 'decode') ?? plan.components[0];
  if (!component) return skip('the plan has no engine');
  if (component.endpoint !== null) return skip('the hardware behind an endpoint is unknown');
  if (component.engine === 'simulator' || component.runtime === 'simulator') return skip('the timings are simulated');
  const hardware = findHardware(component.hardware.id);
  const bandwidth = hardware?.bandwidthBytesPerS ?? null;
  if (!hardware || bandwidth === null) return skip(`the memory bandwidth of ${component.hardware.id} is unknown`);
  const checkpoint = plan.checkpoints.find((c) => c.scope === 'target');
  const model = checkpoint ? findModel(checkpoint.model) : null;
  if (!checkpoint || !model) return skip(`nothing is known of ${checkpoint?.model ?? 'the model'}`);
  const params = stepParams(model);
  if (params === null) return skip(`the active parameters of ${model.id} are unknown`);
  const bits = weightBits(checkpoint.format);
  if (bits === null) return skip(`the bits per weight of ${checkpoint.format} are unknown`);
  const drafted = draftTokens(plan);
  if (drafted === null) return skip('the number of drafted tokens is unknown');
  const facts: PhysicsFacts = {
    weightBytes: (params * bits) / 8,
    kvBytesPerToken: kvBytesPerToken(plan, model),
    bandwidthBytesPerS: bandwidth,
    peakFlops: peakFlopsOf(hardware),
    flopsPerPromptToken: promptFlops(model),
    devices: devicesOf(plan, component),
    draftTokens: drafted,
  };
  const cacheBytes = LARGEST_CACHE_BYTES[hardware.kind] * facts.devices;
  if (facts.weightBytes <= cacheBytes) {
    return skip(`the weights (${(facts.weightBytes / 2 ** 20).toFixed(0)} MiB) may lie in the last-level cache`);
  }
  return { facts, skipped: null };
}
