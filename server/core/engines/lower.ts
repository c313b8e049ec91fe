import type { Scope, SettingName, SettingValues } from '../plan/settings';
import type { Lowered, Lowering, LoweringContext } from './engine';

/** One launch argument with its value, or a bare flag. */
export const arg = (flag: string, value: string | number | null = null, note?: string): Lowered => ({
  kind: 'args',
  args: [{ flag, value: value === null ? null : String(value), ...(note === undefined ? {} : { note }) }],
});

export const args = (...list: { flag: string; value: string | null; note?: string }[]): Lowered => ({
  kind: 'args',
  args: list,
});

/** Entries of the engine's configuration file, by dotted path. */
export const configEntries = (entries: Record<string, unknown>, note?: string): Lowered => ({
  kind: 'config',
  entries,
  ...(note === undefined ? {} : { note }),
});

/** Nothing to say: the engine does this already. Only for a value that equals the engine's default. */
export const already: Lowered = { kind: 'args', args: [] };

export const unsupported = (reason: string, source: string, instead?: string): Lowered => ({
  kind: 'unsupported',
  reason,
  source,
  ...(instead === undefined ? {} : { instead }),
});

/** Refused, with a value for the parameter that asked (null: leave it to the engine) as the way out. */
export const unsupportedValue = (reason: string, source: string, value: unknown, label: string): Lowered => ({
  kind: 'unsupported',
  reason,
  source,
  use: { value, label },
});

export const requestField = (name: string, value: unknown): Lowered => ({ kind: 'request', fields: { [name]: value } });

/** A setting that takes more than one kind: a launch flag and a request field, say. */
export const several = (...parts: Lowered[]): Lowered => ({ kind: 'several', parts });

/** A part beside others: what happens in truth, where that is not what the setting promises. */
export const caution = (message: string, source: string): Lowered => ({ kind: 'caution', message, source });

/** The parts of a lowering, one by one. */
export const partsOf = (lowered: Lowered): Exclude<Lowered, { kind: 'several' }>[] =>
  lowered.kind === 'several' ? lowered.parts.flatMap(partsOf) : [lowered];

/** An engine that knows one value only, which is its default: any other is refused. */
export const onlyValue =
  (only: string | number | boolean, reason: string, source: string) =>
  (value: unknown): Lowered =>
    value === only ? already : unsupported(reason, source);

/** A lowering that knows the target scope only; other scopes are refused by name. */
export function inTarget<K extends SettingName>(
  name: K,
  source: string,
  lower: (value: SettingValues[K], ctx: LoweringContext) => Lowered,
): Lowering<K> {
  return (value, ctx, scope) =>
    scope === 'target' ? lower(value, ctx) : unsupported(`${name} cannot be set for the ${scope} model`, source);
}

/** Scopes that take weights here. */
export const isWeightsScope = (scope: Scope): scope is 'target' | 'draft' => scope === 'target' || scope === 'draft';

/** Tokens that one decoding sequence adds to a step: one, and the drafted ones that are verified beside it. */
export function tokensPerDecodingSequence(ctx: LoweringContext): number {
  const speculation = ctx.value('speculation') ?? 'off';
  return speculation === 'off' ? 1 : 1 + (ctx.value('draftTokens') ?? 0);
}

/**
 * Step budget of an engine that counts decoding tokens too: the prompt tokens asked for, plus one step of every
 * sequence, so that a chunk of that size fits beside a full batch.
 */
export function stepBudget(promptTokens: number, ctx: LoweringContext): { tokens: number; note: string } {
  const sequences = ctx.value('maxSequences');
  if (sequences === null) {
    return { tokens: promptTokens, note: `${promptTokens} prompt tokens; decoding sequences take their share of it` };
  }
  const each = tokensPerDecodingSequence(ctx);
  const decoding = each === 1 ? `${sequences} decoding` : `${sequences} sequences × ${each}`;
  const tokens = promptTokens + sequences * each;
  return { tokens, note: `${promptTokens} prompt tokens + ${decoding} = ${tokens}` };
}
