import type { SettingName, SettingValues } from '../../plan/settings';
import type { Lowering, LoweringTable } from '../engine';
import { already, arg, inTarget, requestField, unsupported } from '../lower';
import {
  lowerLmdeployAdapters,
  lowerLmdeployAttentionData,
  lowerLmdeployChunking,
  lowerLmdeployContextRanks,
  lowerLmdeployData,
  lowerLmdeployDraftTokens,
  lowerLmdeployExperts,
  lowerLmdeployGraphBatch,
  lowerLmdeployGraphs,
  lowerLmdeployKvType,
  lowerLmdeployMemory,
  lowerLmdeployPage,
  lowerLmdeploySpeculation,
  lowerLmdeployStep,
  lowerLmdeployTensor,
} from './serving';
import { lowerLmdeployDtype, lowerLmdeploySparsity, lowerLmdeployWeights } from './weights';

const CLI = 'LMDeploy v0.16.0, lmdeploy/cli/utils.py';
const MESSAGES = 'LMDeploy v0.16.0, lmdeploy/messages.py';
const ABSENT = 'LMDeploy v0.16.0, lmdeploy/cli/serve.py (absence)';
const PROTOCOL = 'LMDeploy v0.16.0, lmdeploy/serve/openai/protocol.py';

/** What the engine does anyway; every other value is refused. */
function fixed<K extends SettingName>(name: K, value: SettingValues[K], reason: string, source: string): Lowering<K> {
  return inTarget(name, source, (asked) => (asked === value ? already : unsupported(reason, source)));
}

export const lmdeployLowering: LoweringTable = {
  weightsFormat: lowerLmdeployWeights,
  computeDtype: inTarget('computeDtype', CLI, lowerLmdeployDtype),
  weightsSparsity: inTarget('weightsSparsity', CLI, lowerLmdeploySparsity),

  flashAttention: {
    unsupported:
      'LMDeploy has attention kernels of its own (TurboMind) or picks one (PyTorch); neither can be chosen or switched off',
    source: ABSENT,
  },
  attentionBackend: {
    unsupported: 'LMDeploy picks its attention kernels by the device; there is no choice of them',
    source: ABSENT,
  },
  torchCompile: fixed(
    'torchCompile',
    'off',
    'LMDeploy compiles nothing with torch.compile: its kernels are C++ or Triton',
    ABSENT,
  ),
  cudaGraphs: inTarget('cudaGraphs', MESSAGES, lowerLmdeployGraphs),
  cudaGraphMaxBatch: inTarget('cudaGraphMaxBatch', MESSAGES, lowerLmdeployGraphBatch),
  operatorFusion: { unsupported: 'which operators are fused is fixed in the kernels', source: ABSENT },

  kvCacheKeyType: inTarget('kvCacheKeyType', CLI, (type, ctx) => lowerLmdeployKvType('key', type, ctx)),
  kvCacheValueType: inTarget('kvCacheValueType', CLI, (type, ctx) => lowerLmdeployKvType('value', type, ctx)),
  prefixCaching: inTarget('prefixCaching', CLI, (state) => (state === 'on' ? arg('--enable-prefix-caching') : already)),
  staticKvCache: fixed(
    'staticKvCache',
    'off',
    'LMDeploy keeps its cache in pages; there is no buffer of fixed length',
    ABSENT,
  ),
  kvBlockTokens: inTarget('kvBlockTokens', CLI, lowerLmdeployPage),
  slidingWindow: fixed('slidingWindow', 'on', "the model's windows cannot be switched off", ABSENT),
  slidingWindowTokens: {
    unsupported: 'LMDeploy follows the windows of the model and imposes none on it',
    source: ABSENT,
  },
  kvTier: {
    unsupported: 'LMDeploy keeps its cache on the device: no tier in host memory, on disk or in a store',
    source: ABSENT,
  },
  kvTierBytes: { unsupported: 'LMDeploy has no tier for its cache', source: ABSENT },
  kvEviction: { unsupported: 'LMDeploy drops no tokens of a running sequence by importance', source: ABSENT },
  contextTokensPerSequence: inTarget('contextTokensPerSequence', CLI, (tokens) =>
    arg('--session-len', tokens, 'of one sequence'),
  ),
  sinkTokens: {
    unsupported: 'LMDeploy drops no tokens from a running sequence: it has the sinks and windows of the model only',
    source: ABSENT,
  },
  maxSequences: inTarget('maxSequences', CLI, (sequences) => arg('--max-batch-size', sequences)),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', CLI, lowerLmdeployStep),
  threads: { unsupported: 'LMDeploy computes on a GPU; threads of the host are not a setting', source: ABSENT },
  queueLimit: {
    unsupported:
      'LMDeploy refuses no request: above --max-concurrent-requests they wait, without a bound; bound them in a gateway',
    source: 'LMDeploy v0.16.0, lmdeploy/serve/openai/api_server.py, ConcurrencyLimitMiddleware',
  },
  apiKeySecret: inTarget('apiKeySecret', CLI, (secret) =>
    arg('--api-keys', `$${secret}`, 'no environment variable does it: it shows in the list of processes'),
  ),

  speculation: inTarget('speculation', CLI, lowerLmdeploySpeculation),
  draftTokens: inTarget('draftTokens', CLI, lowerLmdeployDraftTokens),
  promptLookupMinTokens: { unsupported: 'LMDeploy has no prompt lookup', source: `${CLI}, --speculative-algorithm` },
  promptLookupMaxTokens: { unsupported: 'LMDeploy has no prompt lookup', source: `${CLI}, --speculative-algorithm` },
  draftTreeTopK: fixed('draftTreeTopK', 1, 'LMDeploy drafts a chain, not a tree', `${CLI}, --speculative-algorithm`),
  draftTreeDepth: {
    unsupported: 'LMDeploy drafts a chain: its depth is the number of drafted tokens',
    source: `${CLI}, --speculative-algorithm`,
  },
  structuredOutputBackend: fixed(
    'structuredOutputBackend',
    'xgrammar',
    'LMDeploy constrains its output with xgrammar only',
    'LMDeploy v0.16.0, lmdeploy/pytorch/engine/guided_process.py',
  ),

  chunkedPrefill: inTarget('chunkedPrefill', CLI, lowerLmdeployChunking),
  schedulingPolicy: fixed(
    'schedulingPolicy',
    'first-come',
    'LMDeploy serves by arrival; requests carry no priority',
    ABSENT,
  ),
  priorityHighFirst: { unsupported: 'LMDeploy requests carry no priority', source: ABSENT },
  preemption: fixed(
    'preemption',
    'recompute',
    'LMDeploy evicts running sequences when the cache is full and computes them again',
    'LMDeploy v0.16.0, lmdeploy/pytorch/config.py, eviction_type',
  ),
  batchWaitMs: fixed('batchWaitMs', 0, 'LMDeploy has no window in which requests wait for others', ABSENT),
  streamIntervalTokens: fixed('streamIntervalTokens', 1, 'LMDeploy sends every token as it comes', ABSENT),
  metricsEndpoint: inTarget('metricsEndpoint', CLI, (state) => (state === 'off' ? arg('--disable-metrics') : already)),
  torchProfilerFolder: inTarget('torchProfilerFolder', CLI, (folder, ctx) =>
    ctx.runtime === 'pytorch'
      ? {
          kind: 'env',
          env: { LMDEPLOY_PROFILE_CUDA: '1', LMDEPLOY_PROFILE_OUT_PREFIX: `${folder.replace(/\/+$/, '')}/lmdeploy_` },
        }
      : unsupported(
          'TurboMind has no torch profiler: its kernels are C++',
          'LMDeploy v0.16.0, lmdeploy/pytorch/envs.py',
        ),
  ),

  tensorParallel: inTarget('tensorParallel', CLI, lowerLmdeployTensor),
  pipelineParallel: fixed('pipelineParallel', 1, 'LMDeploy has no pipeline stages', ABSENT),
  dataParallel: inTarget('dataParallel', CLI, lowerLmdeployData),
  expertParallel: inTarget('expertParallel', CLI, lowerLmdeployExperts),
  attentionDataParallel: inTarget('attentionDataParallel', CLI, lowerLmdeployAttentionData),
  contextParallel: inTarget('contextParallel', CLI, lowerLmdeployContextRanks),
  cpuOffloadBytes: { unsupported: 'LMDeploy keeps all weights on the device', source: ABSENT },
  cpuExpertLayers: { unsupported: 'LMDeploy keeps all experts on the device', source: ABSENT },
  deviceLayers: { unsupported: 'LMDeploy keeps every layer on the device', source: ABSENT },

  loraAdapters: inTarget('loraAdapters', CLI, lowerLmdeployAdapters),
  loraMaxRank: { unsupported: 'LMDeploy reads the rank from the adapters', source: ABSENT },
  loraMaxActive: {
    unsupported: 'the number of adapters in a batch is fixed (64)',
    source: 'LMDeploy v0.16.0, lmdeploy/pytorch/config.py, max_active_adapters',
  },

  memoryFraction: inTarget('memoryFraction', MESSAGES, lowerLmdeployMemory),
  temperature: inTarget('temperature', PROTOCOL, (value) => requestField('temperature', value)),
  topP: inTarget('topP', PROTOCOL, (value) => requestField('top_p', value)),
  topK: inTarget('topK', PROTOCOL, (value) => requestField('top_k', value)),
  minP: inTarget('minP', PROTOCOL, (value) => requestField('min_p', value)),
  beams: inTarget('beams', PROTOCOL, (beams) =>
    beams === 1 ? already : unsupported('LMDeploy serves no beam search', PROTOCOL, 'vllm'),
  ),
};
