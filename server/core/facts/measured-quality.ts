import type { WeightScheme } from '../plan/settings';
import { findModel } from './models';
import { type QualityEffect, qualityEffects } from './quality';

/** How the sources call what a scheme does. GGUF is left out: its loss classes are made of these figures already. */
const METHODS: Partial<Record<WeightScheme, RegExp>> = {
  'int8-w8a8': /^(?:SmoothQuant W8A8|INT8 SmoothQuant)/,
  fp8: /^FP8 (?:W8A8|per-t)/,
  'fp8-static': /^FP8 (?:W8A8|per-tensor)/,
  'awq-int4': /^(?:AWQ (?:INT4|W4A16)|INT4 AWQ)/,
  'gptq-int4': /^GPTQ(?:-R W4A16|-Int4| g128| W4A16)/,
  'gptq-int8': /^GPTQ-Int8/,
  w4a16: /^(?:GPTQ(?:-R)?|RTN) W4A16/,
  'bnb-nf4': /^bitsandbytes NF4/,
  nvfp4: /^NVFP4 (?:g16|W4A4)/,
  mxfp4: /^MXFP4 g32/,
};

interface MeasuredLoss {
  effect: QualityEffect;
  /** How much worse than the unquantized model, in percent of its figure; negative where it got better. */
  lossPercent: number;
}

function lossPercentOf({ metric, higherIsBetter, relativePercent, value }: QualityEffect): number | null {
  // These rows state the loss itself, against a baseline of 0.
  if (metric.startsWith('MMLU relative loss percent')) return value;
  if (relativePercent === null || higherIsBetter === null) return null;
  return higherIsBetter ? -relativePercent : relativePercent;
}

/** Figures by id of the model table, collected when first asked for. */
let byModel: Map<string, QualityEffect[]> | null = null;

function collect(): Map<string, QualityEffect[]> {
  const collected = new Map<string, QualityEffect[]>();
  for (const effect of qualityEffects()) {
    // A remark in brackets behind the name is no part of it.
    const id = findModel(effect.model.replace(/ \(.*\)$/, ''))?.id;
    if (id !== undefined) collected.set(id, [...(collected.get(id) ?? []), effect]);
  }
  return collected;
}

function effectsOf(modelId: string): readonly QualityEffect[] {
  byModel ??= collect();
  return byModel.get(modelId) ?? [];
}

/** What the sources measured of a scheme on that very model, worst first; empty where none did. */
export function measuredLosses(modelId: string, scheme: string): MeasuredLoss[] {
  const method = METHODS[scheme as WeightScheme];
  if (method === undefined) return [];
  return effectsOf(modelId)
    .flatMap((effect): MeasuredLoss[] => {
      const lossPercent = method.test(effect.technique) ? lossPercentOf(effect) : null;
      return lossPercent === null ? [] : [{ effect, lossPercent }];
    })
    .sort((a, b) => b.lossPercent - a.lossPercent);
}
