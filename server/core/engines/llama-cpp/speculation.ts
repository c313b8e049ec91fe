import type { SettingValues, SpeculationMethod } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, inTarget, unsupported, unsupportedValue } from '../lower';
import { EMBEDDED, isEmbedded, SPECULATIVE } from './sources';

const SPEC_TYPES: Partial<Record<SpeculationMethod, string>> = {
  off: 'none',
  'draft-model': 'draft-simple',
  'prompt-lookup': 'ngram-simple',
  eagle3: 'draft-eagle3',
  mtp: 'draft-mtp',
  dflash: 'draft-dflash',
};
const EMBEDDED_METHODS: readonly SpeculationMethod[] = ['off', 'draft-model', 'prompt-lookup'];

const MISSING: Partial<Record<SpeculationMethod, string>> = {
  suffix: 'llama-server has no suffix tree; its n-gram methods look the prompt up',
  eagle: 'llama-server has EAGLE-3, not the first two versions',
  medusa: 'llama-server has no Medusa heads',
  'mlp-speculator': 'llama-server has no MLP speculators',
};

function lowerMethod(method: SettingValues['speculation'], ctx: LoweringContext): Lowered {
  const type = SPEC_TYPES[method];
  const source = `${SPECULATIVE}; common/arg.cpp, --spec-type`;
  if (type === undefined) return unsupported(MISSING[method] ?? `llama-server has no method ${method}`, source, 'vllm');
  if (isEmbedded(ctx) && !EMBEDDED_METHODS.includes(method)) {
    return unsupported(`the embedded engine drafts by a model or by prompt lookup, not by ${method}`, EMBEDDED);
  }
  return arg('--spec-type', type);
}

function lowerDraftTokens(tokens: number, ctx: LoweringContext): Lowered {
  const method = ctx.value('speculation') ?? 'off';
  if (method === 'off') return unsupported('drafted tokens mean nothing without speculation', SPECULATIVE);
  if (method === 'prompt-lookup' && tokens > LONGEST_GRAM && !isEmbedded(ctx)) return tooLong(tokens);
  return arg(method === 'prompt-lookup' ? '--spec-ngram-simple-size-m' : '--spec-draft-n-max', tokens);
}

/** Longest n-gram and longest copy that llama-server takes. */
const LONGEST_GRAM = 1024;
const tooLong = (tokens: number): Lowered =>
  unsupported(`llama-server takes n-grams of 1 to ${LONGEST_GRAM} tokens, not ${tokens}`, `${SPECULATIVE}; its parser`);

const ONE_LENGTH =
  'llama-server compares one length (--spec-ngram-simple-size-n): set the shortest and the longest match to the same';

/** The shortest match decides in llama-server: whatever agrees on more tokens agrees on these too. */
function lowerLookupMin(tokens: number, ctx: LoweringContext): Lowered {
  if (tokens > LONGEST_GRAM && !isEmbedded(ctx)) return tooLong(tokens);
  return arg(isEmbedded(ctx) ? '--spec-ngram-simple-min-match' : '--spec-ngram-simple-size-n', tokens);
}

function lowerLookupMax(tokens: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) return arg('--spec-ngram-simple-size-n', tokens);
  const min = ctx.value('promptLookupMinTokens');
  if (min === tokens) return { kind: 'carried', by: 'promptLookupMinTokens' };
  return unsupportedValue(ONE_LENGTH, SPECULATIVE, min, `Set the longest match to ${min}`);
}

export const llamaCppSpeculation = {
  speculation: inTarget('speculation', SPECULATIVE, lowerMethod),
  draftTokens: inTarget('draftTokens', SPECULATIVE, lowerDraftTokens),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', SPECULATIVE, lowerLookupMin),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', SPECULATIVE, lowerLookupMax),
  draftTreeTopK: inTarget('draftTreeTopK', SPECULATIVE, (branches) =>
    branches === 1
      ? already
      : unsupported('llama-server drafts one chain of tokens for each sequence, no tree', SPECULATIVE, 'sglang'),
  ),
  draftTreeDepth: inTarget('draftTreeDepth', SPECULATIVE, (levels, ctx) =>
    levels === ctx.value('draftTokens')
      ? { kind: 'carried', by: 'draftTokens' }
      : unsupported(
          `in a chain the levels are the drafted tokens (${ctx.value('draftTokens')}), not ${levels}`,
          SPECULATIVE,
        ),
  ),
} satisfies Partial<LoweringTable>;
