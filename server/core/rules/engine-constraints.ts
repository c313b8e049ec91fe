import type { Finding } from '../plan/finding';
import { finding } from '../plan/finding';
import { armContext } from './arm-context';
import { placeOfConstraint } from './constraint-places';
import { checkConstraints, type NotChecked, type Violation } from './constraints/check-constraints';
import { FACT_NAMESPACES } from './constraints/context';
import { CONSTRAINT_ENGINES, CONSTRAINT_TABLES, type ConstraintEngine } from './constraints/tables';
import { variablesOf } from './constraints/variables';
import { argumentName } from './context/arguments';
import type { Rule, RuleContext } from './rule';

/** Constraints that a rule of ours judges already, with a fix at the field. */
export const JUDGED_ELSEWHERE: Readonly<Record<string, string>> = {
  'vllm.tp.heads': 'tensor-parallel-heads',
  'vllm.tp.kv_heads': 'tensor-parallel-heads',
  'vllm.tp.kv_replication': 'tensor-parallel-heads',
  'sgl.tp.heads': 'tensor-parallel-heads',
  'sgl.tp.kv_heads': 'tensor-parallel-heads',
  'trt.tp.heads': 'tensor-parallel-heads',
  'trt.tp.kv_heads': 'tensor-parallel-heads',
  'lmd.tp.heads': 'tensor-parallel-heads',
  'tgi.shard_heads': 'tensor-parallel-heads',
  'vllm.world.gpus': 'ranks-within-devices',
  'sgl.tp.gpus': 'ranks-within-devices',
  'trt.world': 'ranks-within-devices',
  'tgi.shard_gpus': 'ranks-within-devices',
  'vllm.ep.moe': 'expert-parallel-split',
  'sgl.ep.moe': 'expert-parallel-split',
  'vllm.len.exceeds_model': 'context-within-model',
  'vllm.spec.ngram_range': 'prompt-lookup-range',
  'vllm.spec.sampling': 'speculation-min-p',
  'vllm.spec.beam': 'speculation-beams',
  'lcpp.kv.v_quant_fa': 'quantized-values-need-flash',
  'lcpp.kv.block_divides_k': 'kv-type-blocks',
  'lcpp.kv.block_divides_v': 'kv-type-blocks',
  'lcpp.kv.cuda_mixed': 'kv-type-mixed',
  'lcpp.slots.ctx': 'context-covers-workload',
  'lcpp.slots.train_ctx': 'context-within-model',
  'lcpp.spec.vocab': 'draft-tokenizer',
  'lcpp.quant.kquant_256': 'quantization-blocks',
  'lcpp.quant.block32': 'quantization-blocks',
};

/** A draft of another tokenizer is refused by `draft-tokenizer`; of the same one, the padded sizes still have to agree. */
const tokenizersDiffer = ({ models }: RuleContext): boolean =>
  models.target?.facts?.tokenizerFamily !== models.draft?.facts?.tokenizerFamily;

/** Whether a raw argument is among what the constraint reads: rules over settings do not see it. */
function readsRaw(ctx: RuleContext, engine: ConstraintEngine, id: string): boolean {
  const raw = ctx.component.args.filter(({ setting, nodeId }) => setting === null && nodeId === ctx.engineNodeId);
  if (raw.length === 0) return false;
  const constraint = CONSTRAINT_TABLES[engine].constraints.find((entry) => entry.id === id);
  const read = constraint === undefined ? [] : variablesOf(constraint);
  return raw.some((arg) => read.includes(`arg.${argumentName(ctx, arg)}`));
}

function isOurs(ctx: RuleContext, engine: ConstraintEngine, id: string): boolean {
  if (id === 'vllm.spec.vocab' && tokenizersDiffer(ctx)) return false;
  return !Object.hasOwn(JUDGED_ELSEWHERE, id) || readsRaw(ctx, engine, id);
}

function violation(ctx: RuleContext, engine: ConstraintEngine, { id, level, reason, source }: Violation): Finding {
  const message = `${ctx.engine.title}: ${reason} (${id})`;
  const constraint = CONSTRAINT_TABLES[engine].constraints.find((entry) => entry.id === id);
  const place = constraint ? placeOfConstraint(ctx, constraint) : { nodeId: ctx.engineNodeId, field: null };
  return finding(level, 'engine-constraint', message, { ...place, source });
}

const NAMED = 8;
const FACTS: ReadonlySet<string> = new Set([...FACT_NAMESPACES, 'ver']);
const isFact = (variable: string): boolean => FACTS.has(variable.split('.', 1)[0] ?? variable);

/**
 * One line for all. A constraint that also lacks a choice is left out: it is about a value that nobody set, where the
 * engine's own defaults meet its own checks.
 */
function unsettled(ctx: RuleContext, engine: ConstraintEngine, open: readonly NotChecked[]): Finding[] {
  const lacking = open.filter(({ id, unknown }) => {
    return unknown.length > 0 && unknown.every(isFact) && isOurs(ctx, engine, id);
  });
  if (lacking.length === 0) return [];
  const facts = [...new Set(lacking.flatMap(({ unknown }) => unknown))];
  const rest = facts.length > NAMED ? ` and ${facts.length - NAMED} more` : '';
  const what = lacking.length === 1 ? 'one constraint' : `${lacking.length} constraints`;
  const message = `not checked: ${what} of ${ctx.engine.title}, because these facts are unknown: ${facts.slice(0, NAMED).join(', ')}${rest}.`;
  return [
    finding('info', 'not-checked', message, { nodeId: ctx.engineNodeId, source: lacking.map((n) => n.id).join(', ') }),
  ];
}

export const engineConstraints: Rule = {
  id: 'engine-constraint',
  summary: 'what the engine itself refuses or warns about',
  source: 'constraints read from the sources of the eight engines, each with file and line',
  check(ctx) {
    const engine = CONSTRAINT_ENGINES.find((id) => id === ctx.engine.id);
    if (engine === undefined) return [];
    const { violated, notChecked } = checkConstraints(engine, armContext(ctx));
    return [
      ...violated.filter(({ id }) => isOurs(ctx, engine, id)).map((entry) => violation(ctx, engine, entry)),
      ...unsettled(ctx, engine, notChecked),
    ];
  },
};
