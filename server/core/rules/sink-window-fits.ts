import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const sinkWindowFits: Rule = {
  id: 'sink-window-fits',
  summary: 'the sinks must leave room for a window that slides',
  source: 'llama.cpp tools/server/server-context.cpp (half of what is not kept is dropped)',
  check(ctx) {
    const sinks = ctx.asked('sinkTokens');
    const context = ctx.value('contextTokensPerSequence');
    if (sinks === null || context === null || sinks.value < context / 2) return [];
    const place = placeOf(ctx, 'sinkTokens');
    const fix = fixParam(place, 4, 'Keep 4 sink tokens');
    const message = `${sinks.value} sink tokens leave ${Math.max(0, context - sinks.value)} of ${context} for the window.`;
    return [judged(this, 'error', message, { ...place, fix })];
  },
};
