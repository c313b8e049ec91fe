import type { LoweringTable } from '../engine';
import { already, arg, inTarget, onlyValue, requestField } from '../lower';
import * as serving from './serving';
import { lowerTgiDtype, lowerTgiSparsity, lowerTgiWeights } from './weights';

const LAUNCHER = 'TGI @db931fcf, launcher/src/main.rs';
const ROUTER = 'TGI @db931fcf, router/src (absence)';
const OPENAI = 'TGI @db931fcf, router/src/lib.rs, ChatRequest and CompletionRequest';
const GLOBALS = 'TGI @db931fcf, server/text_generation_server/models/globals.py';
const SERVER = 'TGI @db931fcf, server/text_generation_server (absence)';

const absent = (reason: string, source = SERVER) => ({ unsupported: reason, source });

const oneRank = (reason: string) => onlyValue(1, reason, `${LAUNCHER} (absence)`);

export const tgiLowering: LoweringTable = {
  weightsFormat: lowerTgiWeights,
  computeDtype: inTarget('computeDtype', LAUNCHER, lowerTgiDtype),
  weightsSparsity: inTarget('weightsSparsity', LAUNCHER, lowerTgiSparsity),

  flashAttention: inTarget('flashAttention', GLOBALS, serving.lowerTgiFlash),
  attentionBackend: inTarget('attentionBackend', GLOBALS, serving.lowerTgiAttention),
  torchCompile: inTarget(
    'torchCompile',
    SERVER,
    onlyValue('off', 'its models are written by hand around fixed kernels; torch.compile is not used', SERVER),
  ),
  cudaGraphs: inTarget('cudaGraphs', LAUNCHER, serving.lowerTgiGraphs),
  cudaGraphMaxBatch: inTarget('cudaGraphMaxBatch', LAUNCHER, serving.lowerTgiGraphBatch),
  operatorFusion: inTarget('operatorFusion', LAUNCHER, (state) =>
    state === 'on' ? already : arg('--disable-custom-kernels', null, 'plain PyTorch operators'),
  ),

  kvCacheKeyType: inTarget('kvCacheKeyType', LAUNCHER, (type, ctx) => serving.lowerTgiKvType('key', type, ctx)),
  kvCacheValueType: inTarget('kvCacheValueType', LAUNCHER, (type, ctx) => serving.lowerTgiKvType('value', type, ctx)),
  prefixCaching: inTarget('prefixCaching', LAUNCHER, serving.lowerTgiPrefix),
  staticKvCache: inTarget('staticKvCache', SERVER, onlyValue('off', 'the cache is always in pages', SERVER)),
  kvBlockTokens: inTarget('kvBlockTokens', GLOBALS, serving.lowerTgiPage),
  slidingWindow: inTarget(
    'slidingWindow',
    SERVER,
    onlyValue('on', 'the window of a model is always applied', `${SERVER}, models/custom_modeling`),
  ),
  slidingWindowTokens: absent('no window can be imposed; the window of a model is applied as it is'),
  kvTier: absent('there is no tier below the GPU: what does not fit waits in the queue'),
  kvTierBytes: absent('there is no tier below the GPU'),
  kvEviction: absent('cached tokens are never dropped by importance'),
  contextTokensPerSequence: inTarget('contextTokensPerSequence', LAUNCHER, serving.lowerTgiContext),
  sinkTokens: absent('there are no attention sinks (StreamingLLM) beside those of a model'),
  maxSequences: inTarget('maxSequences', LAUNCHER, serving.lowerTgiSequences),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', LAUNCHER, serving.lowerTgiStep),
  threads: absent('threads of the host are not a setting (--validation-workers counts tokenizers)', LAUNCHER),
  queueLimit: inTarget('queueLimit', LAUNCHER, serving.lowerTgiQueue),
  apiKeySecret: inTarget('apiKeySecret', LAUNCHER, (secret) => ({ kind: 'env', env: { API_KEY: `$${secret}` } })),

  speculation: inTarget('speculation', LAUNCHER, serving.lowerTgiSpeculation),
  draftTokens: inTarget('draftTokens', LAUNCHER, (_, ctx) => serving.insideTgiSpeculation(ctx)),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', LAUNCHER, serving.lowerTgiLookup),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', LAUNCHER, serving.lowerTgiLookup),
  draftTreeTopK: absent('drafts are chains, never trees', `${LAUNCHER}, --speculate`),
  draftTreeDepth: absent('drafts are chains, never trees', `${LAUNCHER}, --speculate`),
  structuredOutputBackend: inTarget(
    'structuredOutputBackend',
    ROUTER,
    onlyValue('outlines', 'grammars are compiled by outlines, with no choice', 'TGI @db931fcf, router/Cargo.toml'),
  ),

  chunkedPrefill: inTarget('chunkedPrefill', GLOBALS, (state) => ({
    kind: 'env',
    env: { PREFILL_CHUNKING: state === 'on' ? '1' : '0' },
  })),
  schedulingPolicy: inTarget(
    'schedulingPolicy',
    ROUTER,
    onlyValue('first-come', 'requests are served as they come; there is no priority', ROUTER),
  ),
  priorityHighFirst: absent('requests have no priority', ROUTER),
  preemption: inTarget(
    'preemption',
    ROUTER,
    onlyValue('never', 'a request enters only where its whole length fits; running ones are never stopped', ROUTER),
  ),
  batchWaitMs: absent(
    'a batch waits in decode steps (--max-waiting-tokens) and by a ratio (--waiting-served-ratio), not in ms',
    LAUNCHER,
  ),
  streamIntervalTokens: inTarget('streamIntervalTokens', ROUTER, onlyValue(1, 'every token is sent at once', ROUTER)),
  metricsEndpoint: inTarget(
    'metricsEndpoint',
    ROUTER,
    onlyValue('on', 'metrics are always served', 'TGI @db931fcf, router/src/server.rs'),
  ),
  torchProfilerFolder: absent('there is no profiler behind a switch'),

  tensorParallel: inTarget('tensorParallel', LAUNCHER, serving.lowerTgiRanks),
  pipelineParallel: inTarget('pipelineParallel', LAUNCHER, oneRank('only tensor parallelism is available')),
  dataParallel: inTarget('dataParallel', LAUNCHER, oneRank('one launcher holds one copy: run replicas')),
  expertParallel: inTarget('expertParallel', LAUNCHER, oneRank('only tensor parallelism is available')),
  attentionDataParallel: inTarget('attentionDataParallel', LAUNCHER, oneRank('only tensor parallelism is available')),
  contextParallel: inTarget('contextParallel', LAUNCHER, oneRank('only tensor parallelism is available')),
  cpuOffloadBytes: absent('all weights stay on the GPU'),
  cpuExpertLayers: absent('experts do not run on the CPU'),
  deviceLayers: absent('every layer runs on the device'),

  loraAdapters: inTarget('loraAdapters', LAUNCHER, serving.lowerTgiAdapters),
  loraMaxRank: absent('the rank is read from the adapters', LAUNCHER),
  loraMaxActive: absent('every adapter that was named at start may be in a batch', LAUNCHER),

  memoryFraction: inTarget('memoryFraction', LAUNCHER, serving.lowerTgiMemory),
  temperature: inTarget('temperature', OPENAI, (value) => requestField('temperature', value)),
  topP: inTarget('topP', OPENAI, (value) => requestField('top_p', value)),
  topK: absent('top_k is a field of /generate only; the OpenAI routes have none', OPENAI),
  minP: absent('no route has min_p', OPENAI),
  beams: inTarget('beams', OPENAI, serving.lowerTgiBeams),
};
