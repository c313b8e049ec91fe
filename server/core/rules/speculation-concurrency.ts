import { closedConcurrency, judged, placeOf } from './judge';
import type { Rule } from './rule';

/** Streams from which on published gains are mostly gone. */
const MANY = 16;

export const speculationConcurrency: Rule = {
  id: 'speculation-concurrency',
  summary: 'speculation gains little or loses with many streams',
  source: 'EAGLE-3: 1.55× at 1 stream, 1.05× at 64; vLLM 2024: 1.4–1.8× slower at high request rates',
  check(ctx) {
    const speculation = ctx.value('speculation') ?? 'off';
    if (speculation === 'off') return [];
    const place = placeOf(ctx, 'speculation');
    return ctx.workloads
      .filter((workload) => Math.min(closedConcurrency(workload), ctx.value('maxSequences') ?? Infinity) >= MANY)
      .map((workload) =>
        judged(
          this,
          'warning',
          `${workload.title} runs ${closedConcurrency(workload)} streams at once: verifying drafts then competes with other requests for arithmetic, and speculation often loses. Measure it.`,
          place,
        ),
      );
  },
};
