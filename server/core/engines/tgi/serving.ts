import type { SettingValues } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, caution, several, unsupported } from '../lower';

const LAUNCHER = 'TGI @db931fcf, launcher/src/main.rs';
const GLOBALS = 'TGI @db931fcf, server/text_generation_server/models/globals.py';
const CACHE = 'TGI @db931fcf, server/text_generation_server/layers/attention/kv_cache.py';
const ROUTER = 'TGI @db931fcf, router/src/lib.rs';

const env = (name: string, value: string): Lowered => ({ kind: 'env', env: { [name]: value } });
const isAmpere = (ctx: LoweringContext): boolean => (capabilityOf(ctx.hardware) ?? 80) >= 80;

export function lowerTgiAttention(backend: SettingValues['attentionBackend'], ctx: LoweringContext): Lowered {
  if (backend !== 'flashinfer' && backend !== 'flash-attention-2') {
    return unsupported(
      `there is no ${backend}; ATTENTION takes flashinfer, flashdecoding (FlashAttention 2) and paged`,
      GLOBALS,
    );
  }
  const isNvidia = vendorOf(ctx.hardware) === 'nvidia' && ctx.hardware.kind === 'gpu';
  if (!isNvidia) {
    return unsupported(
      `FlashInfer and flashdecoding are for NVIDIA GPUs, elsewhere it is paged attention; ${describeDevice(ctx.hardware)}`,
      `${LAUNCHER}, resolve_attention`,
    );
  }
  if (!isAmpere(ctx)) {
    return unsupported(
      `below compute capability 8.0 the launcher falls back to paged attention; ${describeDevice(ctx.hardware)}`,
      `${LAUNCHER}, resolve_attention`,
    );
  }
  return env('ATTENTION', backend === 'flashinfer' ? 'flashinfer' : 'flashdecoding');
}

export function lowerTgiFlash(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'on') return lowerTgiAttention('flash-attention-2', ctx);
  return several(
    env('USE_FLASH_ATTENTION', 'false'),
    caution(
      'every model then runs by its plain Transformers class: no paged cache and no sharding',
      'TGI @db931fcf, server/text_generation_server/layers/attention/__init__.py',
    ),
  );
}

const GRAPH_SIZES = [1, 2, 4, 8, 16, 32];

export function lowerTgiGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') return unsupported('CUDA graphs need a GPU', LAUNCHER);
  if (state === 'off') return env('CUDA_GRAPHS', '0');
  return ctx.value('cudaGraphMaxBatch') === null
    ? env('CUDA_GRAPHS', GRAPH_SIZES.join(','))
    : { kind: 'carried', by: 'cudaGraphMaxBatch' };
}

/** Captured sizes are listed: powers of two up to the largest, and the largest. */
export function lowerTgiGraphBatch(sequences: number, ctx: LoweringContext): Lowered {
  if (ctx.value('cudaGraphs') === 'off') return unsupported('no batch is captured where CUDA graphs are off', LAUNCHER);
  const powers = Array.from({ length: 12 }, (_, power) => 2 ** power).filter((size) => size < sequences);
  return env('CUDA_GRAPHS', [...powers, sequences].join(','));
}

const KV_TYPES: Readonly<Record<string, string>> = { FP8: 'fp8_e4m3fn', FP8_E5M2: 'fp8_e5m2' };

function kvRefusal(type: string, ctx: LoweringContext): Lowered | null {
  if (KV_TYPES[type] === undefined) {
    return unsupported(
      `TGI has no ${type} cache; it keeps the compute type, or FP8 (E4M3, E5M2)`,
      `${LAUNCHER}, --kv-cache-dtype`,
      'vllm',
    );
  }
  const { hardware } = ctx;
  if (hardware.kind === 'cpu') return unsupported('an FP8 cache needs a GPU', CACHE);
  if (vendorOf(hardware) === 'amd' && type === 'FP8_E5M2')
    return unsupported('on AMD the FP8 cache is E4M3 only', CACHE);
  if (!isAmpere(ctx))
    return unsupported(`an FP8 cache needs compute capability 8.0; ${describeDevice(hardware)}`, CACHE);
  return ctx.value('attentionBackend') === 'flash-attention-2'
    ? unsupported('an FP8 cache works with flashinfer and paged attention, not with flashdecoding', CACHE)
    : null;
}

/** One flag covers keys and values. F16 and BF16 are the compute type, which is a setting of its own. */
export function lowerTgiKvType(part: 'key' | 'value', type: string, ctx: LoweringContext): Lowered {
  const other = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType');
  if (other !== null && other !== type)
    return unsupported(`keys and values are kept in one type, not ${type} beside ${other}`, CACHE);
  const dtype = ctx.value('computeDtype');
  if ((type === 'F16' && dtype === 'float16') || (type === 'BF16' && dtype === 'bfloat16')) {
    return { kind: 'carried', by: 'computeDtype' };
  }
  const refusal = kvRefusal(type, ctx);
  if (refusal !== null) return refusal;
  if (part === 'value' && other !== null) return { kind: 'carried', by: 'kvCacheKeyType' };
  return arg('--kv-cache-dtype', KV_TYPES[type] ?? type, 'keys and values');
}

export function lowerTgiPrefix(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return env('PREFIX_CACHING', '0');
  if (!isAmpere(ctx) || vendorOf(ctx.hardware) !== 'nvidia' || ctx.hardware.kind === 'cpu') {
    return unsupported(
      `prefix caching needs flashinfer or flashdecoding; ${describeDevice(ctx.hardware)}`,
      `${GLOBALS}; ${LAUNCHER}, resolve_attention`,
    );
  }
  const switched = env('PREFIX_CACHING', '1');
  return ctx.value('loraAdapters') === null
    ? switched
    : several(
        switched,
        caution(
          'with adapters the launcher leaves prefix caching off unless it is forced, as here: answers of two adapters may share a prefix',
          `${LAUNCHER}, resolve_attention`,
        ),
      );
}

/** Pages are as large as the kernels want: nothing reads the BLOCK_SIZE that the facts list. */
export function lowerTgiPage(tokens: number, ctx: LoweringContext): Lowered {
  const size = ctx.value('attentionBackend') === 'flash-attention-2' ? 256 : 1;
  return tokens === size
    ? { kind: 'carried', by: 'attentionBackend' }
    : unsupported(
        `the page size follows the kernels: 1 token with flashinfer, 256 with flashdecoding, 16 with paged; ${tokens} cannot be set`,
        GLOBALS,
      );
}

export const lowerTgiContext = (tokens: number): Lowered =>
  arg('--max-total-tokens', tokens, 'prompt and output of one sequence; the prompt may take all but one');

export const lowerTgiStep = (tokens: number): Lowered =>
  arg('--max-batch-prefill-tokens', tokens, 'prompt tokens of one prefill; decode steps are apart');

export const lowerTgiSequences = (sequences: number): Lowered =>
  arg('--max-batch-size', sequences, 'in one batch; memory bounds it first');

/** The one bound counts what runs and what waits. */
export function lowerTgiQueue(requests: number, ctx: LoweringContext): Lowered {
  const sequences = ctx.value('maxSequences');
  if (sequences === null) {
    return unsupported(
      '--max-concurrent-requests counts running and waiting requests together: set the largest batch too',
      `${LAUNCHER}, --max-concurrent-requests`,
    );
  }
  const total = sequences + requests;
  return arg(
    '--max-concurrent-requests',
    total,
    `${sequences} running + ${requests} waiting = ${total}; one more gets 429`,
  );
}

const NOT_HERE = 'only Medusa, MLP heads and n-gram drafts exist (--speculate)';

export function lowerTgiSpeculation(method: SettingValues['speculation'], ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  const tokens = ctx.value('draftTokens');
  if (method === 'prompt-lookup') {
    return tokens === null
      ? unsupported('n-gram drafts need their number of tokens', `${LAUNCHER}, --speculate`)
      : arg('--speculate', tokens, 'n-gram drafts, where the checkpoint has no heads');
  }
  if (method !== 'medusa' && method !== 'mlp-speculator') {
    return unsupported(`there is no ${method}: ${NOT_HERE}`, `${LAUNCHER}, --speculate`, 'vllm');
  }
  if (ctx.checkpoint('draft') === null) {
    return unsupported(
      `${method} needs the repository of its heads; connect it to the port "draft"`,
      `${LAUNCHER}, --speculate`,
    );
  }
  return tokens === null
    ? { kind: 'carried', by: 'weightsFormat' }
    : arg('--speculate', tokens, 'at most the trained heads');
}

export const insideTgiSpeculation = (ctx: LoweringContext): Lowered =>
  (ctx.value('speculation') ?? 'off') === 'off'
    ? unsupported('it means nothing without speculation', `${LAUNCHER}, --speculate`)
    : { kind: 'carried', by: 'speculation' };

/** The match is always one token long. */
export function lowerTgiLookup(tokens: number, ctx: LoweringContext): Lowered {
  const carried = insideTgiSpeculation(ctx);
  return tokens === 1 || carried.kind === 'unsupported'
    ? carried
    : several(
        carried,
        caution(
          'n-gram drafts look up the last token only; the length of the match cannot be set',
          'TGI @db931fcf, server/text_generation_server/utils/tokens.py, create_n_gram_speculation',
        ),
      );
}

export function lowerTgiRanks(shards: number, ctx: LoweringContext): Lowered {
  return shards > ctx.hardware.count
    ? unsupported(
        `${shards} shards need ${shards} devices; there are ${ctx.hardware.count}`,
        `${LAUNCHER}, find_num_shards`,
      )
    : arg('--num-shard', shards);
}

const isPath = (source: string): boolean => /^[./~]/.test(source);

/** A folder takes the name that requests use; a repository is asked for by its own. */
export function lowerTgiAdapters(adapters: SettingValues['loraAdapters']): Lowered {
  const list = adapters.map(({ name, source }) => (isPath(source) ? `${name}=${source}` : source)).join(',');
  const renamed = adapters.filter(({ name, source }) => !isPath(source) && name !== source);
  const lowered = args({ flag: '--lora-adapters', value: list, note: 'requests name one in parameters.adapter_id' });
  return renamed.length === 0
    ? lowered
    : several(
        lowered,
        caution(
          `requests ask for an adapter from the hub by its repository: ${renamed.map(({ source }) => source).join(', ')}`,
          'TGI @db931fcf, docs/source/conceptual/lora.md',
        ),
      );
}

export function lowerTgiMemory(fraction: number, ctx: LoweringContext): Lowered {
  return ctx.hardware.kind === 'cpu'
    ? unsupported('the share is of GPU memory', `${LAUNCHER}, --cuda-memory-fraction`)
    : arg(
        '--cuda-memory-fraction',
        fraction,
        'share of the whole device; a tenth of it stays free (TGI_WIGGLE_ROOM 0.90)',
      );
}

const OPENAI = `${ROUTER}, ChatRequest and CompletionRequest`;

export const lowerTgiBeams = (beams: number): Lowered =>
  beams === 1 ? already : unsupported('there is no beam search: best_of draws samples', OPENAI);
