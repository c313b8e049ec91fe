import type { SettingValues } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, caution, configEntries, inTarget, onlyValue, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';
import { lowerOnnxWeights, providerOf } from './build';

const BUILDER = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/python/py/models/builder.py';
const CONFIG = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/config.cpp';
const GENERATORS = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/generators.cpp';
const README = 'onnxruntime-genai v0.15.2 @ed5f4e87, README.md (absence)';
const ENGINE = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/engine';

const absent = (reason: string, source = README) => ({ unsupported: reason, source });
const NO_SERVER = 'there is no HTTP server, so nothing of one can be set';
const SPECULATION = 'speculative decoding is on the roadmap of 0.15.2, not in it';

const oneRank = onlyValue(1, 'one model runs on one device; nothing is split over several', README);

/** Part of the builder command, where the whole of it stands in one place. */
const inBuild = (value: Lowered | null = null): Lowered => value ?? { kind: 'carried', by: 'weightsFormat' };

/** A quantized export has the numbers of its provider for all that is not quantized. */
function lowerComputeDtype(dtype: SettingValues['computeDtype'], ctx: LoweringContext): Lowered {
  const { scheme } = readWeightFormat(ctx.checkpoint('target')?.format ?? '');
  const possible = providerOf(ctx) === 'cpu' ? ['float32'] : ['float16', 'bfloat16'];
  return scheme === null || possible.includes(dtype)
    ? inBuild()
    : unsupported(`a quantized export computes in ${possible.join(' or ')} there, not in ${dtype}`, `${BUILDER}, -p`);
}

function lowerCache(type: string, ctx: LoweringContext): Lowered {
  if (type === 'INT8' || type === 'INT4' || type === 'FP8') {
    return unsupported(
      `${type} keys and values need a file of scales calibrated offline (kv_cache_scale_file), which a plan does not hold`,
      `${BUILDER}, kv_cache_quant_type`,
    );
  }
  const native = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' }[type];
  if (native === undefined) return unsupported(`there is no ${type} cache here`, `${BUILDER}, kv_cache_quant_type`);
  return ctx.value('computeDtype') === native
    ? { kind: 'carried', by: 'computeDtype' }
    : unsupported(`the cache has the numbers of the export: ask for ${native} as the compute type`, BUILDER);
}

function lowerSparsity(kind: SettingValues['weightsSparsity']): Lowered {
  return kind === 'structured'
    ? inBuild()
    : several(inBuild(), caution(`${kind} zeros are exported dense: no less memory, no more speed`, BUILDER));
}

/** Capture needs the shared buffer of past and present. */
function lowerGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return already;
  if (providerOf(ctx) !== 'cuda')
    return unsupported('graph capture is of the CUDA provider', `${BUILDER}, enable_cuda_graph`);
  if (ctx.value('staticKvCache') === 'off') {
    return unsupported(
      'graph capture needs the shared buffer of past and present',
      'onnxruntime-genai v0.15.2 @ed5f4e87, src/models/kv_cache.cpp:425',
    );
  }
  return inBuild();
}

function lowerAdapters(adapters: SettingValues['loraAdapters']): Lowered {
  return adapters.length === 1
    ? inBuild()
    : unsupported(
        `the builder exports one adapter (adapter_path), not ${adapters.length}; more are loaded in code (og.Adapters) from files that Olive makes`,
        `${BUILDER}, adapter_path`,
      );
}

function lowerSequences(sequences: number, ctx: LoweringContext): Lowered {
  if (sequences === 1) return configEntries({ 'search.batch_size': 1 });
  return providerOf(ctx) === null
    ? unsupported('batches need the CPU or CUDA provider', ENGINE)
    : several(
        configEntries({ 'engine.dynamic_batching.max_batch_size': sequences }),
        caution('requests share a batch only through og.Engine, in code of your own', ENGINE),
      );
}

function lowerBlocks(tokens: number): Lowered {
  return tokens % 256 === 0
    ? configEntries({ 'engine.dynamic_batching.block_size': tokens })
    : unsupported(`pages hold a multiple of 256 tokens, not ${tokens}`, `${BUILDER}, paged_block_size`);
}

function lowerChunked(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return already;
  return ctx.value('prefillTokensPerStep') === null
    ? unsupported('chunks need their size (search.chunk_size)', CONFIG)
    : { kind: 'carried', by: 'prefillTokensPerStep' };
}

/** The builder's own meaning: a share of what is free once the weights are loaded. */
const lowerMemory = absent(
  'gpu_utilization_factor is a share of what is free when the cache is made, and no bound on the device',
  'onnxruntime-genai, src/config.h, engine.dynamic_batching',
);

const KERNELS = 'the GroupQueryAttention operator chooses its kernel itself; there is no switch';

/** Builder options go into its command; all else lies over `genai_config.json`. */
export const onnxLowering: LoweringTable = {
  weightsFormat: lowerOnnxWeights,
  computeDtype: inTarget('computeDtype', BUILDER, lowerComputeDtype),
  weightsSparsity: inTarget('weightsSparsity', BUILDER, lowerSparsity),

  flashAttention: absent(KERNELS, 'onnxruntime, contrib_ops GroupQueryAttention'),
  attentionBackend: absent(KERNELS, 'onnxruntime, contrib_ops GroupQueryAttention'),
  torchCompile: inTarget(
    'torchCompile',
    README,
    onlyValue('off', 'the model runs as an ONNX graph, without torch', README),
  ),
  cudaGraphs: inTarget('cudaGraphs', BUILDER, lowerGraphs),
  cudaGraphMaxBatch: absent('a graph is captured for the batch that runs, not for a list of sizes', BUILDER),
  operatorFusion: inTarget('operatorFusion', CONFIG, (state) =>
    configEntries({
      'model.decoder.session_options.graph_optimization_level': state === 'on' ? 'ORT_ENABLE_ALL' : 'ORT_DISABLE_ALL',
    }),
  ),

  kvCacheKeyType: inTarget('kvCacheKeyType', BUILDER, lowerCache),
  kvCacheValueType: inTarget('kvCacheValueType', BUILDER, lowerCache),
  prefixCaching: inTarget(
    'prefixCaching',
    README,
    onlyValue('off', 'no prefix is kept from one request to another', README),
  ),
  staticKvCache: inTarget('staticKvCache', CONFIG, (state) =>
    configEntries({ 'search.past_present_share_buffer': state === 'on' }, 'the buffer holds max_length from the start'),
  ),
  kvBlockTokens: inTarget('kvBlockTokens', BUILDER, lowerBlocks),
  slidingWindow: inTarget(
    'slidingWindow',
    BUILDER,
    onlyValue('on', 'the window of a model is part of its export', BUILDER),
  ),
  slidingWindowTokens: absent('the window of a model is part of its export; none can be imposed', BUILDER),
  kvTier: absent('the cache lives on the device of the model'),
  kvTierBytes: absent('the cache lives on the device of the model'),
  kvEviction: absent('cached tokens are never dropped by importance'),
  contextTokensPerSequence: inTarget('contextTokensPerSequence', GENERATORS, (tokens) =>
    configEntries({ 'search.max_length': tokens }, 'prompt and output of one sequence'),
  ),
  sinkTokens: absent('there are no attention sinks (StreamingLLM) beside those of a model'),
  maxSequences: inTarget('maxSequences', CONFIG, lowerSequences),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', CONFIG, (tokens) =>
    configEntries({ 'search.chunk_size': tokens }, 'prompt tokens of one step'),
  ),
  threads: inTarget('threads', CONFIG, (threads) =>
    configEntries({ 'model.decoder.session_options.intra_op_num_threads': threads }),
  ),
  queueLimit: absent(NO_SERVER),
  apiKeySecret: absent(NO_SERVER),

  speculation: inTarget('speculation', README, onlyValue('off', SPECULATION, README)),
  draftTokens: absent(SPECULATION),
  promptLookupMinTokens: absent(SPECULATION),
  promptLookupMaxTokens: absent(SPECULATION),
  draftTreeTopK: absent(SPECULATION),
  draftTreeDepth: absent(SPECULATION),
  structuredOutputBackend: absent(
    'grammars are set in code for each generator (set_guidance), not in the configuration',
  ),

  chunkedPrefill: inTarget('chunkedPrefill', CONFIG, lowerChunked),
  schedulingPolicy: inTarget(
    'schedulingPolicy',
    ENGINE,
    onlyValue('first-come', 'og.Engine serves requests as they come', ENGINE),
  ),
  priorityHighFirst: absent('requests have no priority', ENGINE),
  preemption: inTarget('preemption', ENGINE, onlyValue('never', 'og.Engine never stops a running request', ENGINE)),
  batchWaitMs: absent('no batch waits for others', ENGINE),
  streamIntervalTokens: absent(NO_SERVER),
  metricsEndpoint: inTarget('metricsEndpoint', README, onlyValue('off', NO_SERVER, README)),
  torchProfilerFolder: absent("torch does not run; ONNX Runtime's own profile is session_options.enable_profiling"),

  tensorParallel: inTarget('tensorParallel', README, oneRank),
  pipelineParallel: inTarget('pipelineParallel', README, oneRank),
  dataParallel: inTarget('dataParallel', README, oneRank),
  expertParallel: inTarget('expertParallel', README, oneRank),
  attentionDataParallel: inTarget('attentionDataParallel', README, oneRank),
  contextParallel: inTarget('contextParallel', README, oneRank),
  cpuOffloadBytes: absent('a model runs on one provider as a whole'),
  cpuExpertLayers: absent('a model runs on one provider as a whole'),
  deviceLayers: absent('a model runs on one provider as a whole'),

  loraAdapters: inTarget('loraAdapters', BUILDER, lowerAdapters),
  loraMaxRank: absent('the rank is that of the exported adapter', BUILDER),
  loraMaxActive: absent('one exported adapter is active', BUILDER),

  memoryFraction: lowerMemory,
  temperature: inTarget('temperature', CONFIG, (value) =>
    configEntries({ 'search.temperature': value, 'search.do_sample': value > 0 }),
  ),
  topP: inTarget('topP', CONFIG, (value) => configEntries({ 'search.top_p': value, 'search.do_sample': true })),
  topK: inTarget('topK', CONFIG, (value) => configEntries({ 'search.top_k': value, 'search.do_sample': true })),
  minP: absent('the search options have no min_p', CONFIG),
  beams: inTarget('beams', CONFIG, (beams) => configEntries({ 'search.num_beams': beams })),
};
