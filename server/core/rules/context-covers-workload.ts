import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const contextCoversWorkload: Rule = {
  id: 'context-covers-workload',
  summary: 'one sequence must hold the longest request',
  source: 'llama.cpp src/llama-context.cpp:291-301; vLLM --max-model-len',
  check(ctx) {
    const context = ctx.value('contextTokensPerSequence');
    if (context === null || ctx.engine.id === 'endpoint') return [];
    // With a sliding window only the prompt must fit: what is generated pushes the middle out.
    const slides = ctx.asked('sinkTokens') !== null;
    const place = placeOf(ctx, 'contextTokensPerSequence');
    return ctx.workloads.flatMap((workload) => {
      const needed = workload.inputTokens + (slides ? 1 : workload.outputTokens);
      if (needed <= context) return [];
      const parts = slides
        ? `its prompt of ${workload.inputTokens}`
        : `${workload.inputTokens} + ${workload.outputTokens}`;
      const message = `${workload.title} needs ${needed} tokens a sequence (${parts}); the context holds ${context}.`;
      return [
        judged(this, 'error', message, { ...place, fix: fixParam(place, needed, `Set the context to ${needed}`) }),
      ];
    });
  },
};
