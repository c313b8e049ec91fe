import { closedConcurrency, fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const queueLimitLoad: Rule = {
  id: 'queue-limit-load',
  summary: 'what a bounded queue does to the workload',
  source: 'METHODOLOGY: shed requests stay in the denominator and are not good',
  check(ctx) {
    const limit = ctx.asked('queueLimit');
    if (limit === null) return [];
    const place = placeOf(ctx, 'queueLimit');
    const sequences = ctx.value('maxSequences');
    return ctx.workloads.flatMap((workload) => {
      const clients = closedConcurrency(workload);
      if (sequences !== null && clients > sequences + limit.value) {
        const room = clients - sequences;
        const message = `${workload.title} has ${clients} clients, but ${sequences} sequences and a queue of ${limit.value} take ${sequences + limit.value}: the rest gets 429 all the time.`;
        return [judged(this, 'warning', message, { ...place, fix: fixParam(place, room, `Let ${room} wait`) })];
      }
      if (!workload.loads.some((load) => load.mode !== 'closed')) return [];
      const message = `Above its capacity the engine sheds requests of ${workload.title} with 429 once ${limit.value} wait; they count as not good, and TTFT is that of the others only.`;
      return [judged(this, 'info', message, place)];
    });
  },
};
