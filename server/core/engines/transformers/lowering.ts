import { findModel } from '../../facts/models';
import type { SettingName, SettingValues } from '../../plan/settings';
import type { Lowered, Lowering, LoweringContext, LoweringTable } from '../engine';
import { already, arg, caution, inTarget, requestField, several, stepBudget, unsupported } from '../lower';
import { shareAfterWeights } from '../weight-memory';
import {
  batchesContinuously,
  lowerTransformersAttention,
  lowerTransformersFlashAttention,
  lowerTransformersWeights,
} from './weights';

const SERVE = 'Transformers 5.17.0, transformers/cli/serve.py';
const MANAGER = 'Transformers 5.17.0, transformers/cli/serving/model_manager.py';
const BATCHING = 'Transformers 5.17.0, generation/configuration_utils.py, ContinuousBatchingConfig';
const REQUESTS = 'Transformers 5.17.0, transformers/cli/serving/utils.py, _build_generation_config';
const ABSENT = `${SERVE} (absence)`;

function fixed<K extends SettingName>(name: K, value: SettingValues[K], reason: string, source: string): Lowering<K> {
  return inTarget(name, source, (asked) => (asked === value ? already : unsupported(reason, source)));
}

const needsBatching = (ctx: LoweringContext, lowered: Lowered): Lowered =>
  batchesContinuously(ctx)
    ? lowered
    : unsupported(
        'it belongs to continuous batching, which the static cache of the compiled path switches off',
        BATCHING,
      );

/** Nothing bounds a sequence but the model: the paged cache grows with it. */
function lowerContext(tokens: number, ctx: LoweringContext): Lowered {
  const model = findModel(ctx.checkpoint('target')?.model ?? '');
  const most = model?.maxTokens ?? null;
  return most !== null && tokens > most
    ? unsupported(`the model was made for ${most} tokens and serve has no argument to stretch it`, ABSENT)
    : { kind: 'carried', by: 'weightsFormat' };
}

function lowerMemory(fraction: number, ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') return unsupported('the share is one of the memory of a GPU', BATCHING);
  const free = shareAfterWeights(fraction, ctx);
  return free.ok
    ? needsBatching(ctx, arg('--cb-max-memory-percent', free.share, free.note))
    : unsupported(free.reason, BATCHING);
}

export const transformersLowering: LoweringTable = {
  weightsFormat: lowerTransformersWeights,
  computeDtype: inTarget('computeDtype', SERVE, (dtype) => arg('--dtype', dtype)),
  weightsSparsity: inTarget('weightsSparsity', SERVE, (kind) =>
    kind === 'structured'
      ? { kind: 'carried', by: 'weightsFormat' }
      : several(
          { kind: 'carried', by: 'weightsFormat' },
          caution(`${kind} weights load dense: no smaller and no faster (torchao has experiments in Python)`, ABSENT),
        ),
  ),

  flashAttention: inTarget('flashAttention', SERVE, lowerTransformersFlashAttention),
  attentionBackend: inTarget('attentionBackend', SERVE, lowerTransformersAttention),
  torchCompile: inTarget('torchCompile', SERVE, (state) =>
    state === 'on' ? arg('--compile', null, 'with a static cache, one request at a time') : arg('--no-compile'),
  ),
  cudaGraphs: inTarget('cudaGraphs', BATCHING, (state, ctx) => {
    if (ctx.hardware.kind === 'cpu') return unsupported('a CPU has no CUDA graphs', BATCHING);
    return needsBatching(ctx, arg(state === 'on' ? '--cb-use-cuda-graph' : '--no-cb-use-cuda-graph'));
  }),
  cudaGraphMaxBatch: {
    unsupported: 'serve captures the batches that it meets; a largest one cannot be set',
    source: BATCHING,
  },
  operatorFusion: { unsupported: 'serve has no fusion passes beyond torch.compile', source: ABSENT },

  kvCacheKeyType: {
    unsupported:
      'serve keeps its cache in the type of the model; quantized caches are an argument of generate() in Python only',
    source: ABSENT,
  },
  kvCacheValueType: {
    unsupported:
      'serve keeps its cache in the type of the model; quantized caches are an argument of generate() in Python only',
    source: ABSENT,
  },
  prefixCaching: inTarget('prefixCaching', BATCHING, (state, ctx) =>
    state === 'on'
      ? batchesContinuously(ctx)
        ? already
        : unsupported('only continuous batching shares prefixes', REQUESTS)
      : unsupported('serve has no argument that switches the sharing of blocks off', BATCHING),
  ),
  staticKvCache: inTarget('staticKvCache', REQUESTS, (state, ctx) => {
    const compiles = ctx.value('torchCompile') === 'on';
    if (state === 'off') return compiles ? unsupported('--compile brings a static cache with it', REQUESTS) : already;
    return compiles
      ? { kind: 'carried', by: 'torchCompile' }
      : arg('--compile', null, 'the static cache comes with it');
  }),
  kvBlockTokens: inTarget('kvBlockTokens', BATCHING, (tokens, ctx) =>
    tokens < 4
      ? unsupported('a block holds at least 4 tokens', BATCHING)
      : needsBatching(ctx, arg('--cb-block-size', tokens)),
  ),
  slidingWindow: fixed('slidingWindow', 'on', "the model's windows cannot be switched off", ABSENT),
  slidingWindowTokens: { unsupported: 'serve follows the windows of the model and imposes none on it', source: ABSENT },
  kvTier: {
    unsupported: 'serve keeps its cache on the device; offloaded caches are an argument of generate() in Python only',
    source: ABSENT,
  },
  kvTierBytes: { unsupported: 'serve has no tier for its cache', source: ABSENT },
  kvEviction: { unsupported: 'Transformers drops no tokens by importance', source: ABSENT },
  contextTokensPerSequence: inTarget('contextTokensPerSequence', SERVE, lowerContext),
  sinkTokens: {
    unsupported: 'SinkCache was taken out of Transformers; what is left is a recipe outside of it',
    source: 'Transformers 5.17.0, cache_utils.py (absence)',
  },
  maxSequences: {
    unsupported: 'serve has no argument for it: at most 1,024 requests share a batch, fewer where the cache is full',
    source: `${BATCHING}, max_requests_per_batch`,
  },
  prefillTokensPerStep: inTarget('prefillTokensPerStep', BATCHING, (tokens, ctx) => {
    const budget = stepBudget(tokens, ctx);
    return needsBatching(ctx, arg('--cb-max-batch-tokens', budget.tokens, budget.note));
  }),
  threads: { unsupported: 'serve has no argument for threads; PyTorch takes every core', source: ABSENT },
  queueLimit: {
    unsupported: 'serve holds requests in a queue without a limit: bound it in a gateway',
    source: `${BATCHING}, max_queue_size`,
  },
  apiKeySecret: { unsupported: 'serve asks for no key: put a gateway in front', source: ABSENT },

  speculation: fixed(
    'speculation',
    'off',
    'serve drafts nothing: assistant_model and prompt_lookup_num_tokens are arguments of generate() in Python only',
    ABSENT,
  ),
  draftTokens: { unsupported: 'serve drafts nothing', source: ABSENT },
  promptLookupMinTokens: { unsupported: 'serve drafts nothing', source: ABSENT },
  promptLookupMaxTokens: { unsupported: 'serve drafts nothing', source: ABSENT },
  draftTreeTopK: { unsupported: 'serve drafts nothing', source: ABSENT },
  draftTreeDepth: { unsupported: 'serve drafts nothing', source: ABSENT },
  structuredOutputBackend: {
    unsupported: 'serve constrains no output (response_format is ignored)',
    source: 'Transformers 5.17.0, transformers/cli/serving/chat_completion.py',
  },

  chunkedPrefill: inTarget('chunkedPrefill', BATCHING, (state, ctx) =>
    state === 'on'
      ? needsBatching(ctx, already)
      : unsupported('continuous batching fills its token budget with pieces of prompts', BATCHING),
  ),
  schedulingPolicy: fixed(
    'schedulingPolicy',
    'first-come',
    'serve works by arrival; requests carry no priority',
    `${BATCHING}, scheduler_type`,
  ),
  priorityHighFirst: { unsupported: 'requests carry no priority', source: ABSENT },
  preemption: fixed('preemption', 'recompute', 'a full cache makes it compute evicted requests again', BATCHING),
  batchWaitMs: fixed('batchWaitMs', 0, 'there is no window in which requests wait for others', ABSENT),
  streamIntervalTokens: fixed('streamIntervalTokens', 1, 'every token is sent as it comes', ABSENT),
  metricsEndpoint: fixed(
    'metricsEndpoint',
    'off',
    'serve has no Prometheus endpoint (OpenTelemetry hooks only)',
    ABSENT,
  ),
  torchProfilerFolder: { unsupported: 'serve starts no profiler', source: ABSENT },

  tensorParallel: fixed(
    'tensorParallel',
    1,
    'serve passes no tp_plan: tensor parallelism is an argument of from_pretrained under torchrun',
    `${MANAGER}, _load_model`,
  ),
  pipelineParallel: fixed(
    'pipelineParallel',
    1,
    'serve places layers by device_map, one after the other; there are no stages',
    `${MANAGER}, _load_model`,
  ),
  dataParallel: fixed('dataParallel', 1, 'one process serves one copy: run replicas', ABSENT),
  expertParallel: fixed('expertParallel', 1, 'serve spreads no experts', ABSENT),
  attentionDataParallel: fixed('attentionDataParallel', 1, 'serve has no data-parallel attention', ABSENT),
  contextParallel: fixed('contextParallel', 1, 'serve splits no sequence over devices', ABSENT),
  cpuOffloadBytes: {
    unsupported: 'device_map=auto offloads what does not fit, but takes no size',
    source: `${MANAGER}, _load_model`,
  },
  cpuExpertLayers: { unsupported: 'serve keeps no experts on the CPU by number', source: ABSENT },
  deviceLayers: {
    unsupported: 'device_map=auto places layers, but takes no number',
    source: `${MANAGER}, _load_model`,
  },

  loraAdapters: { unsupported: 'serve loads no adapters by argument (PEFT is used from Python)', source: ABSENT },
  loraMaxRank: { unsupported: 'serve loads no adapters', source: ABSENT },
  loraMaxActive: { unsupported: 'serve loads no adapters', source: ABSENT },

  memoryFraction: inTarget('memoryFraction', BATCHING, lowerMemory),
  temperature: inTarget('temperature', REQUESTS, (value) => requestField('temperature', value)),
  topP: inTarget('topP', REQUESTS, (value) => requestField('top_p', value)),
  topK: {
    unsupported: 'serve answers 422 to top_k; it reads temperature and top_p',
    source: `${REQUESTS}, _validate_request`,
  },
  minP: {
    unsupported: 'serve answers 422 to min_p; it reads temperature and top_p',
    source: `${REQUESTS}, _validate_request`,
  },
  beams: fixed('beams', 1, 'serve samples one continuation', ABSENT),
};
