import type { SettingValues } from '../../plan/settings';
import { capabilityOf, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, caution, several, unsupported } from '../lower';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';
const SCHEDULER = 'SGLang v0.5.18, python/sglang/srt/managers/scheduler.py';

/** Prompt tokens of a prefill batch where chunks are not smaller. */
const PREFILL_BATCH = 16384;

/** Prefill and decode are steps of their own here: decoding sequences take nothing from a chunk. */
export function lowerSglangChunk(tokens: number, ctx: LoweringContext): Lowered {
  if (ctx.value('chunkedPrefill') === 'off')
    return arg('--max-prefill-tokens', tokens, 'prompts are not cut: tokens of one batch');
  const page = ctx.value('kvBlockTokens') ?? 1;
  if (tokens % page !== 0) {
    return unsupported(`a chunk must be whole pages: ${tokens} tokens are no multiple of ${page}`, `${ARGS}:9202`);
  }
  const groups = ctx.value('attentionDataParallel') ?? 1;
  const shared = groups === 1 ? '' : `; ÷ ${groups} attention groups = ${Math.floor(tokens / groups)} each`;
  const note = `${tokens} prompt tokens in a step of their own; decoding takes none of them${shared}`;
  return args(
    { flag: '--chunked-prefill-size', value: String(tokens), note },
    ...(tokens > PREFILL_BATCH
      ? [{ flag: '--max-prefill-tokens', value: String(tokens), note: `or ${PREFILL_BATCH} would bound it` }]
      : []),
  );
}

export const lowerSglangChunking = (state: 'on' | 'off'): Lowered =>
  state === 'off' ? arg('--chunked-prefill-size', -1, 'prompts are not cut') : already;

export function lowerSglangSequences(sequences: number, ctx: LoweringContext): Lowered {
  const groups = ctx.value('attentionDataParallel') ?? 1;
  const note = groups === 1 ? undefined : `÷ ${groups} attention groups = ${Math.floor(sequences / groups)} each`;
  return arg('--max-running-requests', sequences, note);
}

export function lowerSglangQueue(requests: number): Lowered {
  return requests === 0
    ? unsupported(
        'every request passes through the queue, so a queue of none would refuse all of them',
        `${SCHEDULER}, _abort_on_queued_limit`,
      )
    : arg('--max-queued-requests', requests, 'answers 503, not 429');
}

export function lowerSglangPolicy(policy: SettingValues['schedulingPolicy']): Lowered {
  switch (policy) {
    case 'first-come':
      return arg('--schedule-policy', 'fcfs');
    case 'longest-prefix':
      return arg('--schedule-policy', 'lpm');
    case 'priority':
      return arg('--enable-priority-scheduling', null, 'larger numbers first unless told otherwise; equals by arrival');
  }
}

export function lowerSglangPriorityOrder(isHighFirst: boolean, ctx: LoweringContext): Lowered {
  if (ctx.value('schedulingPolicy') !== 'priority') {
    return unsupported('an order of priorities means nothing without the priority policy', `${ARGS}:9246`);
  }
  return isHighFirst ? already : arg('--schedule-low-priority-values-first');
}

export function lowerSglangPreemption(kind: SettingValues['preemption']): Lowered {
  if (kind === 'recompute') return already;
  const what =
    kind === 'swap'
      ? 'it does not swap them out'
      : 'that cannot be switched off (--schedule-conservativeness makes it rarer)';
  return unsupported(
    `SGLang retracts running sequences when the cache is full and computes them again; ${what}`,
    `${SCHEDULER}, retract_decode`,
  );
}

/** Share of the running requests that must wait before they are prefilled together; the typical range is 0.1 to 0.5. */
const QUEUE_RATIO = 0.25;

export function lowerSglangWait(ms: number, ctx: LoweringContext): Lowered {
  if (ms === 0) return already;
  if ((ctx.value('pipelineParallel') ?? 1) > 1) {
    return unsupported(
      'the prefill delayer needs the overlap scheduler, which pipeline parallelism switches off',
      'SGLang v0.5.18, managers/prefill_delayer.py',
    );
  }
  return args(
    { flag: '--enable-prefill-delayer', value: null },
    {
      flag: '--prefill-delayer-queue-min-ratio',
      value: String(QUEUE_RATIO),
      note: 'waits for a quarter of the running requests',
    },
    { flag: '--prefill-delayer-max-delay-ms', value: String(ms), note: 'and no longer than this' },
  );
}

/** CUDA graphs of decode and prefill are switched apart. */
export function lowerSglangGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') {
    return args(
      { flag: '--cuda-graph-backend-decode', value: 'disabled' },
      { flag: '--cuda-graph-backend-prefill', value: 'disabled' },
    );
  }
  return ctx.hardware.kind === 'cpu'
    ? unsupported('a CPU has no CUDA graphs; torch.compile takes their place there', ARGS)
    : already;
}

export function lowerSglangGraphBatch(sequences: number, ctx: LoweringContext): Lowered {
  return ctx.value('cudaGraphs') === 'off'
    ? unsupported('no batch is captured where CUDA graphs are off', ARGS)
    : arg('--cuda-graph-max-bs-decode', sequences);
}

export function lowerSglangCompile(state: 'on' | 'off'): Lowered {
  if (state === 'off') return already;
  return several(
    arg('--enable-torch-compile'),
    caution(
      'the path is documented as out of maintenance: prefer CUDA graphs, which are on',
      'SGLang v0.5.18, docs server_arguments',
    ),
  );
}

/** Fusions that are a choice: the all-reduce with the norm behind it, and the norm of queries and keys with RoPE. */
export function lowerSglangFusion(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return already;
  if (ctx.hardware.kind === 'cpu') return unsupported('the fused kernels are for GPUs', ARGS);
  const capability = capabilityOf(ctx.hardware);
  const ranks = ctx.value('tensorParallel') ?? 1;
  const hasAllReduce = capability !== null && [90, 100, 103].includes(capability) && ranks > 1;
  const isAmd = vendorOf(ctx.hardware) === 'amd' && ranks > 1;
  return args(
    { flag: '--enable-fused-qk-norm-rope', value: null, note: 'for models that normalize queries and keys' },
    ...(hasAllReduce
      ? [{ flag: '--flashinfer-allreduce-fusion-backend', value: 'auto', note: 'all-reduce with the norm behind it' }]
      : []),
    ...(isAmd ? [{ flag: '--enable-aiter-allreduce-fusion', value: null }] : []),
  );
}

const GRAMMARS: Partial<Record<SettingValues['structuredOutputBackend'], string>> = {
  xgrammar: 'xgrammar',
  guidance: 'llguidance',
  outlines: 'outlines',
};

export function lowerSglangGrammar(backend: SettingValues['structuredOutputBackend']): Lowered {
  const name = GRAMMARS[backend];
  return name === undefined
    ? unsupported(`SGLang has no ${backend}; it takes xgrammar, llguidance and outlines`, `${ARGS}, --grammar-backend`)
    : arg('--grammar-backend', name);
}

/** One argument with several words: `--lora-paths a=x b=y`. */
export function lowerSglangAdapters(adapters: SettingValues['loraAdapters']): Lowered {
  const [first, ...others] = adapters.map(({ name, source }) => `${name}=${source}`);
  const clash = adapters.find(({ name }) => name.includes('=') || name.includes(':'));
  if (clash)
    return unsupported(
      `the name ${clash.name} holds a "=" or ":", which --lora-paths reads as a separator`,
      `${ARGS}:9370`,
    );
  return args(
    { flag: '--enable-lora', value: null },
    { flag: '--lora-paths', value: first ?? '', note: 'requests name them as model:adapter' },
    ...others.map((word) => ({ flag: word, value: null })),
  );
}

export function lowerSglangAdapterLimit(
  flag: '--max-lora-rank' | '--max-loras-per-batch',
  value: number,
  ctx: LoweringContext,
): Lowered {
  return ctx.value('loraAdapters') === null
    ? unsupported('it means nothing without LoRA adapters', `${ARGS}:9338`)
    : arg(flag, value);
}
