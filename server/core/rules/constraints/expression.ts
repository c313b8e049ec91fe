/** A value that a plan holds or an expression gives. Lists are Python's tuples and lists. */
export type ContextValue = null | boolean | number | string | readonly ContextValue[];

/** A fact that nobody recorded, or what follows from one. `causes`: the variables that would settle it. */
export class Unknown {
  constructor(readonly causes: readonly string[]) {}
}
export type Value = ContextValue | Unknown | readonly Value[];

export type BinaryOperator = '+' | '-' | '*' | '//' | '%';
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not';
export type FunctionName =
  | 'len'
  | 'min'
  | 'max'
  | 'abs'
  | 'norm_dtype'
  | 'startswith'
  | 'ver_ge'
  | 'is_pow2'
  | 'overlaps';

/** One rule text as `translate.py` reads it. */
export type Expression =
  | readonly ['literal', null | boolean | number | string]
  | readonly ['version']
  | readonly ['variable', string, string]
  | readonly ['list', ...Expression[]]
  | readonly ['and' | 'or', ...Expression[]]
  | readonly ['not' | 'negative', Expression]
  | readonly ['binary', BinaryOperator, Expression, Expression]
  | readonly ['if', Expression, Expression, Expression]
  | readonly ['compare', Expression, ...(readonly [CompareOperator, Expression])[]]
  | readonly ['call', FunctionName, ...Expression[]];
