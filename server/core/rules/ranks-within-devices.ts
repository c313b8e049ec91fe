import { fixParam, judged, placeOf } from './judge';
import type { Rule, RuleContext } from './rule';

/** Engines that give every rank a device of its own. */
const ONE_EACH = ['vllm', 'sglang', 'tensorrt-llm', 'tgi', 'lmdeploy'];

/** Degrees whose product is the number of devices, with their settings. */
function factors(
  ctx: RuleContext,
): { name: 'tensorParallel' | 'pipelineParallel' | 'dataParallel' | 'contextParallel'; value: number }[] {
  const data = ctx.engine.id === 'tensorrt-llm' ? [] : (['dataParallel'] as const);
  const context = ctx.engine.id === 'tensorrt-llm' ? (['contextParallel'] as const) : [];
  return (['tensorParallel', 'pipelineParallel', ...data, ...context] as const).map((name) => ({
    name,
    value: ctx.value(name) ?? 1,
  }));
}

export const ranksWithinDevices: Rule = {
  id: 'ranks-within-devices',
  summary: 'every rank needs a device of its own',
  source:
    'vLLM vllm/config/parallel.py:928; SGLang python/sglang/srt/managers/data_parallel_controller.py; TensorRT-LLM tensorrt_llm/mapping.py; TGI launcher/src/main.rs',
  check(ctx) {
    const { count, id, nodeId, kind } = ctx.hardware;
    if (!ONE_EACH.includes(ctx.engine.id) || kind !== 'gpu' || ctx.policies.disaggregation !== null) return [];
    const used = factors(ctx).filter(({ value }) => value > 1);
    const ranks = used.reduce((product, { value }) => product * value, 1);
    if (ranks <= count) return [];
    const [first] = used;
    const sum = used.map(({ name, value }) => `${name} ${value}`).join(' × ');
    const message = `${sum} = ${ranks} ranks, but the arm has ${count} × ${id}: ${ctx.engine.title} gives each rank a device of its own.`;
    const place = first === undefined ? { nodeId, field: 'count' } : placeOf(ctx, first.name);
    const fix = fixParam({ nodeId, field: 'count' }, ranks, `Use ${ranks} devices`);
    return [judged(this, 'error', message, { ...(place.nodeId === null ? { nodeId, field: 'count' } : place), fix })];
  },
};
