import { judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

/** Above a quarter of the target, drafting three tokens costs nearly a whole extra step. */
const LARGEST_SHARE = 0.25;

export const draftSize: Rule = {
  id: 'draft-size',
  summary: 'a draft should be much smaller than its target',
  source: 'Leviathan et al. 2023 (arXiv 2211.17192): a step emits E tokens and costs k·c + 1',
  check(ctx) {
    const { target, draft } = ctx.models;
    if (ctx.value('speculation') !== 'draft-model' || target === undefined || draft === undefined) return [];
    const unknown = [target, draft].find((model) => (model.facts?.paramsActive ?? null) === null);
    if (unknown !== undefined) return [notChecked(this, `parameters of ${unknown.id}`, { nodeId: unknown.nodeId })];
    const share = (draft.facts?.paramsActive ?? 0) / (target.facts?.paramsActive ?? 1);
    if (share <= LARGEST_SHARE) return [];
    const k = ctx.value('draftTokens') ?? 1;
    const cost = (k * share + 1).toFixed(1);
    const message = `${draft.id} has ${Math.round(share * 100)} % of the parameters of ${target.id}: with k = ${k} every step costs about ${cost} plain ones, so it must emit more than ${cost} tokens to gain.`;
    return [judged(this, 'warning', message, { nodeId: placeOf(ctx, 'draftTokens').nodeId ?? draft.nodeId })];
  },
};
