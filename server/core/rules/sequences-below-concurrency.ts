import { closedConcurrency, fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

export const sequencesBelowConcurrency: Rule = {
  id: 'sequences-below-concurrency',
  summary: 'requests wait where fewer sequences run than clients send',
  source: "Little's law: completions × time in system = clients",
  check(ctx) {
    if (ctx.engine.id === 'endpoint') return [];
    const sequences = ctx.value('maxSequences');
    const place = placeOf(ctx, 'maxSequences');
    return ctx.workloads.flatMap((workload) => {
      const clients = closedConcurrency(workload);
      if (clients <= 1) return [];
      if (sequences === null) return [notChecked(this, `sequences that ${ctx.engine.title} runs together here`)];
      if (sequences >= clients) return [];
      const message = `${workload.title} has ${clients} clients, the engine decodes ${sequences} at once: ${clients - sequences} wait, and their waiting is part of TTFT.`;
      return [
        judged(this, 'warning', message, { ...place, fix: fixParam(place, clients, `Run ${clients} sequences`) }),
      ];
    });
  },
};
