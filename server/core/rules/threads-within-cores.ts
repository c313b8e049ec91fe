import { fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

export const threadsWithinCores: Rule = {
  id: 'threads-within-cores',
  summary: 'more threads than cores slow each other down',
  source: 'measured with node-llama-cpp 3.21.1 on 2 shared cores: 1 thread 85–96 tok/s, 2 threads 4–15',
  check(ctx) {
    const asked = ctx.asked('threads');
    if (asked === null || ctx.hardware.kind !== 'cpu') return [];
    const place = placeOf(ctx, 'threads');
    const cores = ctx.hardware.facts?.cores ?? null;
    if (cores === null) return asked.value === 1 ? [] : [notChecked(this, `cores of ${ctx.hardware.id}`, place)];
    const all = cores * ctx.hardware.count;
    if (asked.value <= all) return [];
    const message = `${asked.value} threads on ${all} cores wait for each other at every layer.`;
    return [judged(this, 'warning', message, { ...place, fix: fixParam(place, all, `Use ${all} threads`) })];
  },
};
