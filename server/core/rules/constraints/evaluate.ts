import { compare, isList, numbers, unknownOf } from './compare';
import { CHOICE_NAMESPACES, FACT_NAMESPACES, type PlanContext } from './context';
import {
  type BinaryOperator,
  type CompareOperator,
  type ContextValue,
  type Expression,
  Unknown,
  type Value,
} from './expression';
import { callFunction } from './functions';

/** True, false, or unknown with its causes. None, 0, "" and the empty list count as false. */
export function truth(value: Value): boolean | Unknown {
  if (value instanceof Unknown) return value;
  return isList(value) ? value.length > 0 : Boolean(value);
}

const CHOICES: ReadonlySet<string> = new Set(CHOICE_NAMESPACES);
const FACTS: ReadonlySet<string> = new Set(FACT_NAMESPACES);

function variable(context: PlanContext, namespace: string, field: string): Value {
  const fields = context[namespace as keyof PlanContext] as Readonly<Record<string, ContextValue>> | undefined;
  const value = fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (value !== undefined) return value;
  if (CHOICES.has(namespace)) return null;
  if (FACTS.has(namespace)) return new Unknown([`${namespace}.${field}`]);
  throw new Error(`rule expression: no namespace ${namespace}`);
}

/** Variables that an operand reads and that are None: why an order or a sum with them has no answer. */
function absent(context: PlanContext, parts: readonly Expression[]): Unknown {
  const names: string[] = [];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [kind, namespace, field] = part as unknown[];
    if (kind !== 'variable') part.forEach(visit);
    else if (variable(context, String(namespace), String(field)) === null) names.push(`${namespace}.${field}`);
  };
  parts.forEach(visit);
  return new Unknown([...new Set(names)]);
}

const withCause = (value: Value, context: PlanContext, parts: readonly Expression[]): Value =>
  value instanceof Unknown && value.causes.length === 0 ? absent(context, parts) : value;

function calculate(operator: BinaryOperator, a: number, b: number): number | null {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '//':
      return b === 0 ? null : Math.floor(a / b);
    case '%':
      return b === 0 ? null : a - b * Math.floor(a / b);
  }
}

/** `and` gives its first false operand, `or` its first true one; an unknown that was passed by keeps the answer open. */
function logical(kind: 'and' | 'or', parts: readonly Expression[], context: PlanContext): Value {
  const open: Unknown[] = [];
  let last: Value = kind === 'and';
  for (const part of parts) {
    last = evaluate(part, context);
    const decided = truth(last);
    if (decided instanceof Unknown) open.push(decided);
    else if (kind === 'and' && !decided) return last;
    // `UNKNOWN or "text"` might be another operand than the text; `UNKNOWN or True` is True whatever it is.
    else if (kind === 'or' && decided && (open.length === 0 || last === true)) return last;
  }
  return unknownOf(...open) ?? last;
}

function chain(
  first: Expression,
  links: readonly (readonly [CompareOperator, Expression])[],
  context: PlanContext,
): Value {
  const open: Unknown[] = [];
  let [leftPart, left] = [first, evaluate(first, context)];
  for (const [operator, part] of links) {
    const right = evaluate(part, context);
    const result = withCause(compare(operator, left, right), context, [leftPart, part]);
    if (result === false) return false;
    if (result instanceof Unknown) open.push(result);
    [leftPart, left] = [part, right];
  }
  return unknownOf(...open) ?? true;
}

function arithmetic(operator: BinaryOperator, parts: readonly [Expression, Expression], context: PlanContext): Value {
  const [a, b] = [evaluate(parts[0], context), evaluate(parts[1], context)];
  const pair = numbers(a, b);
  const result = pair === null ? null : calculate(operator, ...pair);
  return result ?? unknownOf(a, b) ?? absent(context, parts);
}

/**
 * Value of a rule expression in a plan: the engine facts' three-valued language, walked as a tree.
 *
 * Why not CEL: its JavaScript libraries have no unknown value (a missing field is an error or null), `&&` and `||` give
 * booleans only, and it knows neither comparison chains, `//`, `x or default` nor None as an ordinary operand of `in`.
 * Each of the 423 rules would need rewriting by hand and an own layer for unknowns around it. The texts are Python
 * expressions, so Python's parser translates them once (`translate.py`) and what remains is this walk.
 */
export function evaluate(expression: Expression, context: PlanContext): Value {
  switch (expression[0]) {
    case 'literal':
      return expression[1];
    case 'version':
      return context.ver ?? new Unknown(['ver']);
    case 'variable':
      return variable(context, expression[1], expression[2]);
    case 'list':
      return expression.slice(1).map((part) => evaluate(part as Expression, context));
    case 'and':
    case 'or':
      return logical(expression[0], expression.slice(1) as Expression[], context);
    case 'not': {
      const decided = truth(evaluate(expression[1], context));
      return decided instanceof Unknown ? decided : !decided;
    }
    case 'negative':
      return arithmetic('-', [['literal', 0], expression[1]], context);
    case 'binary':
      return arithmetic(expression[1], [expression[2], expression[3]], context);
    case 'if': {
      const decided = truth(evaluate(expression[1], context));
      return decided instanceof Unknown ? decided : evaluate(decided ? expression[2] : expression[3], context);
    }
    case 'compare': {
      const [, first, ...links] = expression;
      return chain(first, links, context);
    }
    case 'call': {
      const [, name, ...parts] = expression;
      const args = parts.map((part) => evaluate(part, context));
      return withCause(callFunction(name, args), context, parts);
    }
  }
}
