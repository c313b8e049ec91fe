import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const speculationBeams: Rule = {
  id: 'speculation-beams',
  summary: 'beam search excludes speculation',
  source: 'vLLM docs/features/README.md (feature matrix); llama.cpp serves no beam search',
  check(ctx) {
    const beams = ctx.value('beams') ?? 1;
    const speculation = ctx.value('speculation') ?? 'off';
    if (beams <= 1 || speculation === 'off') return [];
    const place = placeOf(ctx, 'beams');
    const message = `${beams} beams and speculation (${speculation}) exclude each other: drafts are verified along one continuation.`;
    return [judged(this, 'error', message, { ...place, fix: fixParam(place, 1, 'Search one beam') })];
  },
};
