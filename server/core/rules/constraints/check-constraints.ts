import { unknownOf } from './compare';
import type { PlanContext } from './context';
import { evaluate, truth } from './evaluate';
import { Unknown } from './expression';
import { CONSTRAINT_TABLES, type Constraint, type ConstraintEngine, type ConstraintTable } from './tables';

export type Violation = Pick<Constraint, 'id' | 'level' | 'reason' | 'source'>;

export interface NotChecked {
  id: string;
  /** Facts that nobody recorded and choices that nobody set, as `NAMESPACE.FIELD`, which would settle it. */
  unknown: readonly string[];
}

export interface ConstraintReport {
  violated: Violation[];
  notChecked: NotChecked[];
}

/** What the tables say of the quantization in use: the flag's, else the checkpoint's. */
function quantOf(table: ConstraintTable, { arg, model }: PlanContext): NonNullable<PlanContext['quant']> {
  const checkpoint = model?.quant_method;
  const flag = arg?.quantization;
  const method = typeof flag === 'string' ? flag : checkpoint;
  if (method === undefined) return {};
  const own = <T>(record: Readonly<Record<string, T>>, key: string | null | undefined): T | undefined =>
    typeof key === 'string' && Object.hasOwn(record, key) ? record[key] : undefined;
  const accepted = own(table.acceptedFlags, checkpoint);
  return { method, ...own(table.quantByMethod, method), ...(accepted && { accepted_flags: accepted }) };
}

/** Verdict of one constraint; `context.quant` must be there. */
function judge({ ifTree, thenTree }: Constraint, context: PlanContext): boolean | Unknown {
  const applies = truth(evaluate(ifTree, context));
  if (applies === false) return true;
  const holds = truth(evaluate(thenTree, context));
  if (holds === true) return true;
  return applies instanceof Unknown ? (unknownOf([applies, holds]) ?? applies) : holds;
}

/** Judges a plan by every constraint of an engine. Unknown is never a refusal: it is listed with what is missing. */
export function checkConstraints(engine: ConstraintEngine, plan: PlanContext): ConstraintReport {
  const table = CONSTRAINT_TABLES[engine];
  const context: PlanContext = { ...plan, quant: plan.quant ?? quantOf(table, plan) };
  const report: ConstraintReport = { violated: [], notChecked: [] };
  for (const constraint of table.constraints) {
    const verdict = judge(constraint, context);
    const { id, level, reason, source } = constraint;
    if (verdict === false) report.violated.push({ id, level, reason, source });
    if (verdict instanceof Unknown) report.notChecked.push({ id, unknown: verdict.causes });
  }
  return report;
}
