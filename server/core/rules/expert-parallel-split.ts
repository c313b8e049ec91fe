import { partOf } from '../facts/model-facts';
import { fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

export const expertParallelSplit: Rule = {
  id: 'expert-parallel-split',
  summary: 'experts are spread over ranks: a dense model has none, an odd number loads ranks unevenly',
  source: 'facts/notes.md 8 (the slowest rank decides); vLLM docs/serving/expert_parallel_deployment.md',
  check(ctx) {
    const ranks = ctx.asked('expertParallel')?.value ?? 1;
    const model = ctx.models.target;
    if (ranks <= 1 || model === undefined) return [];
    const place = placeOf(ctx, 'expertParallel');
    const experts = model.facts?.experts ?? null;
    if (experts === null) return [notChecked(this, `experts of ${model.id}`, place)];
    if (experts === 'none') {
      const message = `${model.id} has no experts: there is nothing to spread over ${ranks} ranks.`;
      return [judged(this, 'error', message, { ...place, fix: fixParam(place, 1, 'Spread no experts') })];
    }
    const total = partOf(experts)?.total ?? 0;
    if (total % ranks === 0) return [];
    const message = `${total} experts over ${ranks} ranks: some ranks hold ${Math.ceil(total / ranks)}, others ${Math.floor(total / ranks)}, and a step waits for the fullest.`;
    return [judged(this, 'warning', message, place)];
  },
};
