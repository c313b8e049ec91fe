import { findNodeType } from '../catalog/find-node-type';
import type { LossClass } from '../catalog/node-type';
import { measuredLosses } from '../facts/measured-quality';
import { judged } from './judge';
import type { Rule, RuleContext } from './rule';

/** Most that a class allows, in percent, and its name. */
const LIMITS: Partial<Record<LossClass, { percent: number; words: string }>> = {
  'under-1-percent': { percent: 1, words: 'under 1 %' },
  '1-to-3-percent': { percent: 3, words: '1 to 3 %' },
};

/** The node that asks for the weights, with its loss class. */
function techniqueOf(ctx: RuleContext) {
  const asked = ctx.asked('weightsFormat');
  const node = ctx.nodes.find(({ id, scope }) => id === asked?.nodeId && scope === 'target');
  const type = node === undefined ? null : findNodeType(node.type);
  if (!asked || !node || !type?.technique) return null;
  const limit = LIMITS[type.loss?.(node.params as never) ?? type.technique.loss];
  return limit === undefined ? null : { asked, title: type.title, limit };
}

/** A class is a rule of thumb over many models: where this very model was measured, the figure says more. */
export const measuredQuality: Rule = {
  id: 'measured-quality',
  summary: 'a published figure of the same model and method is worse than the loss class',
  source: 'facts/quality.json, each figure with its own source',
  check(ctx) {
    const technique = techniqueOf(ctx);
    const model = ctx.models.target?.facts;
    if (technique === null || !model) return [];
    const { asked, title, limit } = technique;
    const scheme = asked.value.split(':')[1] ?? '';
    const worse = measuredLosses(model.id, scheme).filter(({ lossPercent }) => lossPercent > limit.percent);
    const [worst] = worse;
    if (worst === undefined) return [];
    const { technique: method, metric, baseline, value, source } = worst.effect;
    const change = baseline === 0 || baseline === null ? '' : `, ${baseline} → ${value}`;
    const others = worse.length > 1 ? ` ${worse.length} published figures are above the class; this is the worst.` : '';
    const message = `${title} counts as a loss of ${limit.words}; on ${model.id} it was measured at ${worst.lossPercent.toFixed(1)} % (${method}: ${metric}${change}).${others} Compare the quality on your own prompts.`;
    return [{ ...judged(this, 'info', message, { nodeId: asked.nodeId, field: asked.field }), source }];
  },
};
