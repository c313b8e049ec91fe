import { findSpelling } from '../engines/find-flag-spelling';
import { fixParam, judged } from './judge';
import type { Rule, RuleContext } from './rule';

const PARALLEL = ['--tensor-parallel-size', '--pipeline-parallel-size', '--data-parallel-size'];

/** Ranks asked for by nodes and raw arguments together; null where a raw argument says no number. */
function ranksOf({ engine, component, value }: RuleContext): number | null {
  const { flags } = engine;
  const raw = component.args.filter((arg) => arg.setting === null && flags !== null);
  const factors = raw.flatMap((arg): number[] => {
    const spelling = flags === null ? null : findSpelling(flags, arg.flag);
    const isParallel = PARALLEL.includes(spelling?.fact?.name ?? '');
    return isParallel ? [Number(spelling?.value ?? arg.value ?? Number.NaN)] : [];
  });
  const nodes = (value('tensorParallel') ?? 1) * (value('pipelineParallel') ?? 1) * (value('dataParallel') ?? 1);
  const ranks = factors.reduce((product, factor) => product * factor, nodes);
  return Number.isInteger(ranks) ? ranks : null;
}

export const idleDevices: Rule = {
  id: 'idle-devices',
  summary: 'devices that are paid for and not used',
  source: 'vLLM vllm/config/parallel.py:928 (one process uses TP × PP devices)',
  check(ctx) {
    const ranks = ranksOf(ctx);
    const { count, id, nodeId, kind } = ctx.hardware;
    if (ctx.engine.id !== 'vllm' || kind !== 'gpu' || ranks === null || ranks >= count) return [];
    const message = `vLLM runs ${ranks === 1 ? 'one rank' : `${ranks} ranks`} on ${count} × ${id}: ${count - ranks} of them idle.`;
    const place = { nodeId, field: 'count' };
    return [judged(this, 'warning', message, { ...place, fix: fixParam(place, ranks, `Use ${ranks}`) })];
  },
};
