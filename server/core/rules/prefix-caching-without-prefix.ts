import { judged, placeOf } from './judge';
import type { Rule } from './rule';

export const prefixCachingWithoutPrefix: Rule = {
  id: 'prefix-caching-without-prefix',
  summary: 'prefix caching has nothing to reuse',
  source: 'METHODOLOGY: prompts start with a nonce unless the workload declares a shared prefix',
  check(ctx) {
    const asked = ctx.asked('prefixCaching');
    if (asked?.value !== 'on' || ctx.workloads.length === 0) return [];
    if (ctx.workloads.some((workload) => workload.prefixTokens > 0)) return [];
    const message = 'No workload declares a shared prefix: every prompt is unique, so prefix caching can only cost.';
    const nodeId = ctx.workloads[0]?.nodeId ?? null;
    const place = placeOf(ctx, 'prefixCaching');
    return [judged(this, 'info', message, place.nodeId === null ? { nodeId, field: 'prefixTokens' } : place)];
  },
};
