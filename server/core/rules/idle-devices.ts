import { fixParam, judged } from './judge';
import type { Rule } from './rule';

export const idleDevices: Rule = {
  id: 'idle-devices',
  summary: 'devices that are paid for and not used',
  source: 'vLLM vllm/config/parallel.py:928 (one process uses TP × PP devices)',
  check(ctx) {
    const ranks = ctx.value('tensorParallel') ?? 1;
    const { count, id, nodeId, kind } = ctx.hardware;
    if (ctx.engine.id !== 'vllm' || kind !== 'gpu' || ranks >= count) return [];
    const message = `vLLM runs ${ranks === 1 ? 'one rank' : `${ranks} ranks`} on ${count} × ${id}: ${count - ranks} of them idle.`;
    const place = { nodeId, field: 'count' };
    return [judged(this, 'warning', message, { ...place, fix: fixParam(place, ranks, `Use ${ranks}`) })];
  },
};
