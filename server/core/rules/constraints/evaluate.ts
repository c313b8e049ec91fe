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

/** A rule expression as a function of the plan. */
type Evaluator = (context: PlanContext) => Value;

const CHOICES: ReadonlySet<string> = new Set(CHOICE_NAMESPACES);
const FACTS: ReadonlySet<string> = new Set(FACT_NAMESPACES);

function readVariable(namespace: string, field: string): Evaluator {
  const isFact = FACTS.has(namespace);
  const isNamespace = isFact || CHOICES.has(namespace);
  const unset = isFact ? new Unknown([`${namespace}.${field}`]) : null;
  return (context) => {
    const fields = context[namespace as keyof PlanContext] as Readonly<Record<string, ContextValue>> | undefined;
    const value = fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (value !== undefined) return value;
    if (!isNamespace) throw new Error(`rule expression: no namespace ${namespace}`);
    return unset;
  };
}

/** Variables that operands read, each once, in the order of the text. */
function variablesIn(parts: readonly Expression[]): { name: string; read: Evaluator }[] {
  const found = new Map<string, Evaluator>();
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [kind, namespace, field] = part as unknown[];
    if (kind !== 'variable') part.forEach(visit);
    else found.set(`${namespace}.${field}`, readVariable(String(namespace), String(field)));
  };
  parts.forEach(visit);
  return [...found].map(([name, read]) => ({ name, read }));
}

/** Gives a value that has no cause the operands' variables that are None: why an order or a sum has no answer. */
function causeAmong(parts: readonly Expression[]): (value: Value, context: PlanContext) => Value {
  const variables = variablesIn(parts);
  return (value, context) => {
    if (!(value instanceof Unknown) || value.causes.length > 0) return value;
    return new Unknown(variables.flatMap(({ name, read }) => (read(context) === null ? [name] : [])));
  };
}

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
function logical(kind: 'and' | 'or', parts: readonly Expression[]): Evaluator {
  const operands = parts.map(translate);
  return (context) => {
    const open: Unknown[] = [];
    let last: Value = kind === 'and';
    for (const operand of operands) {
      last = operand(context);
      const decided = truth(last);
      if (decided instanceof Unknown) open.push(decided);
      else if (kind === 'and' && !decided) return last;
      // `UNKNOWN or "text"` might be another operand than the text; `UNKNOWN or True` is True whatever it is.
      else if (kind === 'or' && decided && (open.length === 0 || last === true)) return last;
    }
    return unknownOf(open) ?? last;
  };
}

function chain(first: Expression, links: readonly (readonly [CompareOperator, Expression])[]): Evaluator {
  const start = translate(first);
  const steps = links.map(([operator, part], index) => {
    const before = index === 0 ? first : (links[index - 1]?.[1] ?? first);
    return { operator, right: translate(part), withCause: causeAmong([before, part]) };
  });
  return (context) => {
    const open: Unknown[] = [];
    let left = start(context);
    for (const { operator, right, withCause } of steps) {
      const next = right(context);
      const result = withCause(compare(operator, left, next), context);
      if (result === false) return false;
      if (result instanceof Unknown) open.push(result);
      left = next;
    }
    return unknownOf(open) ?? true;
  };
}

const NO_RESULT = new Unknown([]);

function arithmetic(operator: BinaryOperator, parts: readonly [Expression, Expression]): Evaluator {
  const [left, right] = [translate(parts[0]), translate(parts[1])];
  const withCause = causeAmong(parts);
  return (context) => {
    const [a, b] = [left(context), right(context)];
    const pair = numbers(a, b);
    const result = pair === null ? null : calculate(operator, ...pair);
    return result ?? unknownOf([a, b]) ?? withCause(NO_RESULT, context);
  };
}

function conditional(condition: Evaluator, yes: Evaluator, no: Evaluator): Evaluator {
  return (context) => {
    const decided = truth(condition(context));
    return decided instanceof Unknown ? decided : decided ? yes(context) : no(context);
  };
}

function call([, name, ...parts]: Extract<Expression, readonly ['call', ...unknown[]]>): Evaluator {
  const operands = parts.map(translate);
  const withCause = causeAmong(parts);
  return (context) => {
    const args = operands.map((operand) => operand(context));
    return withCause(callFunction(name, args), context);
  };
}

function translate(expression: Expression): Evaluator {
  switch (expression[0]) {
    case 'literal': {
      const [, value] = expression;
      return () => value;
    }
    case 'version':
      return ({ ver }) => ver ?? new Unknown(['ver']);
    case 'variable':
      return readVariable(expression[1], expression[2]);
    case 'list': {
      const items = (expression.slice(1) as Expression[]).map(translate);
      return (context) => items.map((item) => item(context));
    }
    case 'and':
    case 'or':
      return logical(expression[0], expression.slice(1) as Expression[]);
    case 'not':
      return conditional(
        translate(expression[1]),
        () => false,
        () => true,
      );
    case 'negative':
      return arithmetic('-', [['literal', 0], expression[1]]);
    case 'binary':
      return arithmetic(expression[1], [expression[2], expression[3]]);
    case 'if':
      return conditional(translate(expression[1]), translate(expression[2]), translate(expression[3]));
    case 'compare': {
      const [, first, ...links] = expression;
      return chain(first, links);
    }
    case 'call':
      return call(expression);
  }
}

const translated = new WeakMap<Expression, Evaluator>();

/**
 * Value of a rule expression in a plan: the engine facts' three-valued language. A tree is translated once into a
 * function; whoever changes one makes a new one.
 *
 * Why not CEL: its JavaScript libraries have no unknown value (a missing field is an error or null), `&&` and `||` give
 * booleans only, and it knows neither comparison chains, `//`, `x or default` nor None as an ordinary operand of `in`.
 * Each of the 423 rules would need rewriting by hand and an own layer for unknowns around it. The texts are Python
 * expressions, so Python's parser translates them once (`translate.py`) and what remains is this.
 */
export function evaluate(expression: Expression, context: PlanContext): Value {
  const known = translated.get(expression);
  if (known) return known(context);
  const made = translate(expression);
  translated.set(expression, made);
  return made(context);
}
