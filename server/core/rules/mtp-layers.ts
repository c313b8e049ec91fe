import { judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

/** Engines whose own constraints judge it. */
const JUDGED: readonly string[] = ['vllm', 'llama.cpp', 'endpoint'];

export const mtpLayers: Rule = {
  id: 'mtp-layers',
  summary: 'multi-token prediction needs its layers in the checkpoint',
  source: 'num_nextn_predict_layers or mtp_num_hidden_layers of config.json; SGLang --speculative-algorithm NEXTN',
  check(ctx) {
    const { target, draft } = ctx.models;
    if (ctx.value('speculation') !== 'mtp' || JUDGED.includes(ctx.engine.id)) return [];
    if (target === undefined || draft !== undefined) return [];
    const place = placeOf(ctx, 'speculation');
    const layers = target.facts?.mtpLayers ?? null;
    if (layers === null) return [notChecked(this, `MTP layers of ${target.id}`, place)];
    if (layers > 0) return [];
    const message = `${target.id} ships no MTP layers; choose another method, or connect a draft that has them.`;
    return [judged(this, 'error', message, place)];
  },
};
