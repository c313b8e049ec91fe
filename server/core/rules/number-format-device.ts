import { computeCapabilityOf } from '../facts/hardware-facts';
import type { Finding } from '../plan/finding';
import type { SettingName } from '../plan/settings';
import { judged, notChecked, placeOf } from './judge';
import type { Rule, RuleContext } from './rule';

const FP8_SINCE = 89;
const FP4_SINCE = 100;
const BF16_SINCE = 80;

/** Engines whose own constraints judge the format of weights already. */
const JUDGES_WEIGHTS = ['vllm', 'tensorrt-llm', 'lmdeploy', 'tgi', 'llama.cpp'];
const JUDGES_CACHE = ['vllm', 'tensorrt-llm', 'llama.cpp', 'lmdeploy'];

interface Need {
  setting: SettingName;
  what: string;
  since: number;
  effect: string;
}

function needsOf(ctx: RuleContext): Need[] {
  const format = ctx.checkpoints.find(({ scope }) => scope === 'target')?.format ?? '';
  const needs: Need[] = [];
  if (!JUDGES_WEIGHTS.includes(ctx.engine.id)) {
    const weights = { setting: 'weightsFormat' as const, what: `${format.split(':')[1]} weights` };
    if (/^safetensors:fp8/.test(format)) {
      const effect = 'they are unpacked in each multiplication: memory is saved, arithmetic is not';
      needs.push({ ...weights, since: FP8_SINCE, effect });
    }
    if (/^safetensors:(?:nvfp4|mxfp4)/.test(format)) {
      const effect = 'kernels unpack them to 16 bits where they exist at all';
      needs.push({ ...weights, since: FP4_SINCE, effect });
    }
  }
  const cache = ctx.asked('kvCacheKeyType')?.value ?? '';
  if (!JUDGES_CACHE.includes(ctx.engine.id) && /^(?:FP8|NVFP4)/.test(cache)) {
    const since = cache.startsWith('FP8') ? FP8_SINCE : FP4_SINCE;
    const effect = 'each read converts in software; check that the attention backend has the kernel';
    needs.push({ setting: 'kvCacheKeyType', what: `a cache in ${cache}`, since, effect });
  }
  if (ctx.engine.id !== 'vllm' && ctx.asked('computeDtype')?.value === 'bfloat16') {
    needs.push({ setting: 'computeDtype', what: 'bfloat16', since: BF16_SINCE, effect: 'choose float16' });
  }
  return needs;
}

const shown = (capability: number): string => (capability / 10).toFixed(1);

export const numberFormatDevice: Rule = {
  id: 'number-format-device',
  summary: 'FP8 needs compute capability 8.9, FP4 10.0, bfloat16 8.0 for arithmetic of its own',
  source: 'facts/engines/techniques.md 1, 4; NVIDIA compute capabilities',
  check(ctx) {
    if (ctx.hardware.kind !== 'gpu') return [];
    const { facts, id } = ctx.hardware;
    return needsOf(ctx).flatMap(({ setting, what, since, effect }): Finding[] => {
      const asked = placeOf(ctx, setting);
      const place = asked.nodeId === null ? { nodeId: ctx.models.target?.nodeId ?? null, field: null } : asked;
      const capability = computeCapabilityOf(facts);
      if (capability === null) {
        const isNvidia = facts === null || facts.vendor === 'nvidia';
        return isNvidia ? [notChecked(numberFormatDevice, `compute capability of ${id}`, place)] : [];
      }
      if (capability >= since) return [];
      const message = `${id} has compute capability ${shown(capability)}; ${what} has arithmetic of its own from ${shown(since)} on: ${effect}.`;
      return [judged(numberFormatDevice, 'warning', message, place)];
    });
  },
};
