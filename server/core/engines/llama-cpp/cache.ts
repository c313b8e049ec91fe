import type { Scope, SettingValues } from '../../plan/settings';
import { KV_CACHE_TYPES } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, args, inTarget, unsupported } from '../lower';
import { ARG_CPP, EMBEDDED, isEmbedded, SERVER_CONTEXT, SERVER_README } from './sources';

const SLOTS = 'llama.cpp b10573, src/llama-context.cpp:291-301';
const MIB = 2 ** 20;
/** What --cache-ram holds where nobody says otherwise, MiB. */
const CACHE_RAM_MIB = 8192;

/** `--cache-type-k` and its three siblings. */
function lowerCacheType(letter: 'k' | 'v'): (type: string, ctx: LoweringContext, scope: Scope) => Lowered {
  return (type, ctx, scope) => {
    if (!(KV_CACHE_TYPES as readonly string[]).includes(type)) {
      return unsupported(`llama.cpp has no ${type} cache; it takes ${KV_CACHE_TYPES.join(', ')}`, ARG_CPP);
    }
    if (scope === 'target') return arg(`--cache-type-${letter}`, type.toLowerCase());
    if (scope !== 'draft') return unsupported(`no cache type can be set for the scope ${scope}`, ARG_CPP);
    if (isEmbedded(ctx)) return unsupported("the embedded engine keeps the draft's cache in F16", EMBEDDED);
    return arg(`--spec-draft-type-${letter}`, type.toLowerCase());
  };
}

const NO_TIER: Partial<Record<SettingValues['kvTier'], string>> = {
  disk: 'llama-server writes a slot to a file only when a client asks for it (--slot-save-path)',
  lmcache: 'LMCache works with PyTorch engines, not with llama.cpp',
  mooncake: 'Mooncake works with PyTorch engines, not with llama.cpp',
};

function lowerTier(tier: SettingValues['kvTier'], ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) return unsupported('the embedded engine keeps prompts in the slots alone', EMBEDDED);
  const fault = NO_TIER[tier];
  if (fault !== undefined) return unsupported(fault, SERVER_README);
  if (ctx.value('kvTierBytes') !== null) return { kind: 'carried', by: 'kvTierBytes' };
  return arg('--cache-ram', CACHE_RAM_MIB, 'MiB, its default; whole prompts of idle slots');
}

function lowerTierBytes(bytes: number, ctx: LoweringContext): Lowered {
  if (ctx.value('kvTier') !== 'host-memory') {
    return unsupported('a size means nothing without the tier in host memory', SERVER_README);
  }
  if (isEmbedded(ctx)) return unsupported('the embedded engine keeps prompts in the slots alone', EMBEDDED);
  const mib = Math.max(1, Math.round(bytes / MIB));
  return arg('--cache-ram', mib, `${bytes} bytes ÷ 2^20 = ${mib} MiB; whole prompts of idle slots`);
}

export const llamaCppCache = {
  kvCacheKeyType: lowerCacheType('k'),
  kvCacheValueType: lowerCacheType('v'),
  prefixCaching: inTarget('prefixCaching', SERVER_README, (state) =>
    arg(state === 'on' ? '--cache-prompt' : '--no-cache-prompt'),
  ),
  staticKvCache: inTarget('staticKvCache', SLOTS, (state) =>
    state === 'on'
      ? already
      : unsupported('llama.cpp reserves one buffer for all sequences when it starts; it has no pages', SLOTS, 'vllm'),
  ),
  kvBlockTokens: { unsupported: 'the cache of llama.cpp is one buffer without pages', source: SLOTS },
  slidingWindow: inTarget('slidingWindow', SERVER_README, (state, ctx) => {
    if (state === 'on') return already;
    return isEmbedded(ctx)
      ? unsupported('the embedded engine keeps the small cache of layers with a window', EMBEDDED)
      : arg('--swa-full', null, 'layers with a window keep every token');
  }),
  slidingWindowTokens: {
    unsupported: 'llama.cpp takes the window from the file; it imposes none',
    source: 'llama.cpp b10573, src/llama-model.cpp (n_swa)',
  },
  kvTier: inTarget('kvTier', SERVER_README, lowerTier),
  kvTierBytes: inTarget('kvTierBytes', SERVER_README, lowerTierBytes),
  kvEviction: {
    unsupported: 'llama.cpp drops tokens by age alone (context shift), not by importance',
    source: SERVER_CONTEXT,
  },
  contextTokensPerSequence: inTarget('contextTokensPerSequence', SLOTS, (tokens, ctx) => {
    const sequences = ctx.value('maxSequences') ?? 1;
    const total = tokens * sequences;
    return arg('--ctx-size', total, `${sequences} × ${tokens} tokens a sequence = ${total}`);
  }),
  sinkTokens: inTarget('sinkTokens', ARG_CPP, (tokens) =>
    args(
      { flag: '--keep', value: String(tokens), note: 'first tokens that stay' },
      { flag: '--context-shift', value: null },
    ),
  ),
  memoryFraction: {
    unsupported:
      'llama.cpp takes no share of the memory: it reserves what weights and cache need (--fit-target leaves a margin in MiB)',
    source: ARG_CPP,
  },
} satisfies Partial<LoweringTable>;
