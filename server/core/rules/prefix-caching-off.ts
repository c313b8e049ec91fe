import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

/** Share of a prompt from which on recomputing it is worth a word. */
const WORTH = 0.25;

export const prefixCachingOff: Rule = {
  id: 'prefix-caching-off',
  summary: 'a shared prefix that is computed anew for every request',
  source: 'MISSION claims ledger: prefix hits halve prefill; facts/engines/techniques.md 3',
  check(ctx) {
    if (ctx.asked('prefixCaching')?.value !== 'off') return [];
    const place = placeOf(ctx, 'prefixCaching');
    return ctx.workloads
      .filter(({ prefixTokens, inputTokens }) => prefixTokens >= WORTH * inputTokens)
      .map(({ title, prefixTokens, inputTokens }) => {
        const percent = Math.round((100 * prefixTokens) / inputTokens);
        const message = `${title} shares ${prefixTokens} of ${inputTokens} prompt tokens (${percent} %), and with prefix caching off each request computes them again.`;
        return judged(this, 'warning', message, { ...place, fix: fixParam(place, 'on', 'Switch it on') });
      });
  },
};
