import type { SettingValues } from '../plan/settings';
import type { Lowered, LoweringContext } from './engine';
import { already, unsupported } from './lower';

const SOURCE = 'vLLM @017e9f4448, vllm/config/speculative.py';

/** Draft model: the draft's repository goes into the JSON; its checkpoint has no argument of its own. */
function draftModel(ctx: LoweringContext, tokens: number): Record<string, unknown> | string {
  const checkpoint = ctx.checkpoint('draft');
  if (checkpoint === null) return 'draft_model needs a draft checkpoint; connect one to the port "draft"';
  if (checkpoint.format.startsWith('gguf:')) return "the draft's GGUF file needs the plugin vllm-gguf-plugin";
  return {
    method: 'draft_model',
    model: checkpoint.repo,
    ...(checkpoint.revision === null ? {} : { revision: checkpoint.revision }),
    num_speculative_tokens: tokens,
  };
}

function promptLookup(ctx: LoweringContext, tokens: number): Record<string, unknown> {
  const min = ctx.value('promptLookupMinTokens');
  const max = ctx.value('promptLookupMaxTokens');
  return {
    method: 'ngram',
    num_speculative_tokens: tokens,
    ...(max === null ? {} : { prompt_lookup_max: max }),
    ...(min === null ? {} : { prompt_lookup_min: min }),
  };
}

/** The one JSON argument that holds all of speculation; keys in a fixed order. */
export function lowerSpeculation(method: SettingValues['speculation'], ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  if (method !== 'draft-model' && method !== 'prompt-lookup')
    return unsupported(`${method} is not lowered yet`, SOURCE);
  const tokens = ctx.value('draftTokens');
  if (tokens === null) return unsupported('vLLM needs the number of drafted tokens', `${SOURCE}:1353`);
  const config = method === 'draft-model' ? draftModel(ctx, tokens) : promptLookup(ctx, tokens);
  if (typeof config === 'string') return unsupported(config, `${SOURCE}:758-796`);
  const note = `k = ${tokens}`;
  return { kind: 'args', args: [{ flag: '--speculative-config', value: JSON.stringify(config), note }] };
}

/** A value that stands inside that JSON. */
export function insideSpeculation(ctx: LoweringContext): Lowered {
  return ctx.value('speculation') === 'off' || ctx.value('speculation') === null
    ? unsupported('it means nothing without speculation', SOURCE)
    : { kind: 'carried', by: 'speculation' };
}
