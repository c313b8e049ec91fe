import { partOf } from '../facts/model-facts';
import { fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule, RuleContext } from './rule';

/** Engines that split attention heads over ranks. llama.cpp splits rows or layers instead. */
const SPLITTING = ['vllm', 'sglang', 'tensorrt-llm', 'lmdeploy', 'tgi'];
/** TGI copies KV heads as it needs. */
const ANY_KV_HEADS = ['tgi'];

/** The largest number of ranks, at most what was asked, that the heads allow. */
function largestSplit(ranks: number, heads: number, kvHeads: number | null): number {
  const fits = (n: number): boolean => heads % n === 0 && (kvHeads === null || kvHeads % n === 0 || n % kvHeads === 0);
  for (let n = ranks; n > 1; n--) if (fits(n)) return n;
  return 1;
}

/** With attention data parallelism every group of ranks keeps whole heads; SGLang pads them on a CPU. */
const splitsHeads = (ctx: RuleContext): boolean =>
  SPLITTING.includes(ctx.engine.id) &&
  !(ctx.engine.id === 'sglang' && ctx.hardware.kind === 'cpu') &&
  (ctx.value('attentionDataParallel') ?? 1) === 1;

export const tensorParallelHeads: Rule = {
  id: 'tensor-parallel-heads',
  summary: 'attention heads must split evenly over tensor-parallel ranks',
  source:
    'vLLM vllm/config/model.py:1368 and get_num_kv_heads; SGLang python/sglang/srt/models/*.py; TensorRT-LLM tensorrt_llm/_torch/modules/attention.py; LMDeploy lmdeploy/pytorch/config.py; TGI server/text_generation_server/models/custom_modeling/*',
  check(ctx) {
    const ranks = ctx.value('tensorParallel') ?? 1;
    const model = ctx.models.target;
    if (!splitsHeads(ctx) || ranks === 1 || model === undefined) return [];
    const place = placeOf(ctx, 'tensorParallel');
    const { heads, kvHeads } = model.facts ?? { heads: null, kvHeads: null };
    if (heads === null || kvHeads === null) return [notChecked(this, `attention heads of ${model.id}`, place)];
    const isLatent = partOf(model.facts?.latentAttention ?? null) !== null;
    const splitsKv = !isLatent && !ANY_KV_HEADS.includes(ctx.engine.id);
    const smaller = largestSplit(ranks, heads, splitsKv ? kvHeads : null);
    const fix = fixParam(place, smaller, smaller === 1 ? 'Use one rank' : `Use ${smaller} ranks`);
    if (heads % ranks !== 0) {
      const message = `${heads} attention heads of ${model.id} do not split over ${ranks} ranks.`;
      return [judged(this, 'error', message, { ...place, fix })];
    }
    if (splitsKv && ranks % kvHeads !== 0 && kvHeads % ranks !== 0) {
      const message = `${kvHeads} KV heads of ${model.id} can neither be split nor copied evenly over ${ranks} ranks.`;
      return [judged(this, 'error', message, { ...place, fix })];
    }
    if (isLatent || ranks <= kvHeads) return [];
    const message = `With ${ranks} ranks and ${kvHeads} KV heads the cache is kept ${ranks / kvHeads} times: capacity stops growing.`;
    return [judged(this, 'warning', message, place)];
  },
};
