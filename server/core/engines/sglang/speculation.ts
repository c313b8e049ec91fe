import type { SettingValues, SpeculationMethod } from '../../plan/settings';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, unsupported, unsupportedValue } from '../lower';

const HOOK = 'SGLang v0.5.18, python/sglang/srt/arg_groups/speculative_hook.py';
const CHOICES = 'SGLang v0.5.18, python/sglang/srt/server_args.py, --speculative-algorithm';

/** EAGLE covers EAGLE-1 and -2; NEXTN is its name for layers that the checkpoint brings (MTP). */
const ALGORITHMS: Partial<Readonly<Record<SpeculationMethod, string>>> = {
  'draft-model': 'STANDALONE',
  'prompt-lookup': 'NGRAM',
  eagle: 'EAGLE',
  eagle3: 'EAGLE3',
  mtp: 'NEXTN',
  dflash: 'DFLASH',
};

/** Methods whose weights must enter at the draft port. */
const NEEDS_DRAFT: readonly SpeculationMethod[] = ['draft-model', 'eagle', 'eagle3', 'dflash'];
const NOT_UNDER_DP_ATTENTION: readonly SpeculationMethod[] = ['draft-model', 'prompt-lookup', 'dflash'];

/** Why the method does not run beside the rest of the plan; null where it does. */
function refusalOf(method: SpeculationMethod, ctx: LoweringContext): Lowered | null {
  if ((ctx.value('pipelineParallel') ?? 1) > 1) {
    return unsupported(
      'SGLang asserts that no speculation runs with pipeline parallelism',
      'SGLang v0.5.18, python/sglang/srt/server_args.py:9159; issue sgl-project/sglang#39634',
    );
  }
  if (ctx.value('loraAdapters') !== null && method !== 'prompt-lookup') {
    return unsupported(
      'with LoRA adapters only prompt lookup (NGRAM) runs',
      'SGLang v0.5.18, python/sglang/srt/server_args.py:9372',
    );
  }
  if ((ctx.value('attentionDataParallel') ?? 1) > 1 && NOT_UNDER_DP_ATTENTION.includes(method)) {
    return unsupported(`${ALGORITHMS[method]} does not run with data-parallel attention`, `${HOOK}:156, 554, 769`);
  }
  if (NEEDS_DRAFT.includes(method) && ctx.checkpoint('draft') === null) {
    return unsupported(
      `${ALGORITHMS[method]} needs a draft checkpoint; connect one to the port "draft"`,
      `${HOOK}:166`,
    );
  }
  return null;
}

export function lowerSglangSpeculation(method: SpeculationMethod, ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  const algorithm = ALGORITHMS[method];
  if (algorithm === undefined) {
    return unsupported(
      `SGLang has no ${method}; it drafts by EAGLE, EAGLE3, NEXTN, STANDALONE, NGRAM and DFLASH`,
      CHOICES,
      'vllm',
    );
  }
  return refusalOf(method, ctx) ?? arg('--speculative-algorithm', algorithm);
}

/**
 * Steps × branches × tokens. The engine verifies the drafted tokens and the last accepted one together, so its number
 * of draft tokens is k + 1. A chain of k tokens takes k steps. A tree keeps `topK` branches a level: its depth is
 * asked for, or the least that can hold k tokens. All three are given, since the engine takes all or none of them.
 */
function eagleNumbers(tokens: number, ctx: LoweringContext): Lowered {
  const topK = ctx.value('draftTreeTopK') ?? 1;
  const asked = ctx.value('draftTreeDepth');
  if (topK === 1) {
    if (asked !== null && asked !== tokens) {
      return unsupported(
        `a chain of ${tokens} drafted tokens has ${tokens} levels, not ${asked}`,
        `${HOOK}, topk == 1`,
      );
    }
    return args(
      {
        flag: '--speculative-num-steps',
        value: String(tokens),
        note: `a chain: one step for each of ${tokens} tokens`,
      },
      { flag: '--speculative-eagle-topk', value: '1' },
      {
        flag: '--speculative-num-draft-tokens',
        value: String(tokens + 1),
        note: `${tokens} drafted + 1 = ${tokens + 1}`,
      },
    );
  }
  const depth = asked ?? Math.ceil(tokens / topK);
  // The first level has topK nodes, each later one topK for every branch that is kept.
  const room = topK + (depth - 1) * topK * topK;
  if (tokens > room) {
    return unsupported(
      `${depth} levels of ${topK} branches hold ${room} tokens, not ${tokens}`,
      'SGLang v0.5.18, speculative/eagle_utils.py',
    );
  }
  return args(
    {
      flag: '--speculative-num-steps',
      value: String(depth),
      note: `levels of the tree${asked === null ? `: ${tokens} ÷ ${topK}, rounded up` : ''}`,
    },
    { flag: '--speculative-eagle-topk', value: String(topK), note: 'branches a level' },
    {
      flag: '--speculative-num-draft-tokens',
      value: String(tokens + 1),
      note: `${tokens} drafted + 1 = ${tokens + 1}`,
    },
  );
}

export function lowerSglangDraftTokens(tokens: number, ctx: LoweringContext): Lowered {
  switch (ctx.value('speculation')) {
    case 'draft-model':
    case 'eagle':
    case 'eagle3':
    case 'mtp':
      return eagleNumbers(tokens, ctx);
    case 'prompt-lookup':
      return arg('--speculative-num-draft-tokens', tokens + 1, `${tokens} drafted + 1 = ${tokens + 1}`);
    case 'dflash':
      return args(
        { flag: '--speculative-num-draft-tokens', value: String(tokens + 1), note: `block: ${tokens} drafted + 1` },
        { flag: '--speculative-dflash-block-size', value: String(tokens + 1), note: 'must be the same' },
      );
    default:
      return unsupported('drafted tokens mean nothing without speculation', HOOK);
  }
}

/** Breadth of a tree: EAGLE's own argument is given beside the drafted tokens, n-gram trees have one of their own. */
export function lowerSglangTree(
  setting: 'draftTreeTopK' | 'draftTreeDepth',
  value: SettingValues['draftTreeTopK'],
  ctx: LoweringContext,
): Lowered {
  const method = ctx.value('speculation') ?? 'off';
  if (method === 'off') return unsupported('a draft tree means nothing without speculation', HOOK);
  if (method === 'dflash') return unsupported('DFLASH drafts one block, not a tree', `${HOOK}, _handle_dflash`);
  if (method === 'prompt-lookup') {
    return setting === 'draftTreeTopK'
      ? arg('--speculative-ngram-max-bfs-breadth', value, 'most branches of the n-gram tree')
      : unsupported('the depth of an n-gram tree follows from its tokens and branches', `${HOOK}, _handle_ngram`);
  }
  return ctx.value('draftTokens') === null
    ? unsupported(
        'SGLang takes steps, branches and draft tokens together: give the number of drafted tokens too',
        `${HOOK}:610`,
      )
    : { kind: 'carried', by: 'draftTokens' };
}

/** NGRAM finds every suffix of the text in a tree of bounded depth. */
export function lowerSglangLookupMax(tokens: number, ctx: LoweringContext): Lowered {
  return ctx.value('speculation') === 'prompt-lookup'
    ? arg('--speculative-ngram-max-trie-depth', tokens, 'longest suffix that is stored and matched')
    : unsupported('lengths of a lookup mean nothing without prompt lookup', HOOK);
}

export function lowerSglangLookupMin(tokens: number, ctx: LoweringContext): Lowered {
  if (ctx.value('speculation') !== 'prompt-lookup')
    return unsupported('lengths of a lookup mean nothing without prompt lookup', HOOK);
  return tokens === 1
    ? already
    : unsupportedValue(
        'NGRAM matches suffixes from one token on; a shortest match cannot be set',
        `${CHOICES}; speculative/ngram_worker.py`,
        null,
        'Leave the shortest match to SGLang',
      );
}
