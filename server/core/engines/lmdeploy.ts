import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/lmdeploy.json';
import { lmdeployLowering } from './lmdeploy/lowering';
import { lmdeployPools } from './lmdeploy/pools';

const CLI = 'LMDeploy v0.16.0, lmdeploy/cli/utils.py';
const MESSAGES = 'LMDeploy v0.16.0, lmdeploy/messages.py';

const FAILURES: Engine['failures'] = [
  {
    pattern: /CUDA out of memory|OutOfMemoryError|out of memory|No enough gpu memory|failed to allocate.*cache/i,
    code: 'out-of-memory',
    message:
      'Weights or cache do not fit: lower the share of the cache, the sequences or the prefill tokens of a step.',
    setting: 'memoryFraction',
  },
  {
    pattern: /invalid quant_policy|kv cache quantization only works for/i,
    code: 'kv-type-unknown',
    message: 'This backend does not keep a cache of this type.',
    setting: 'kvCacheKeyType',
  },
  {
    pattern:
      /mismatched quant method|unsupported quant config|compressed-tensors only supports pack-quantized|Unsupported quant method|unknown model_format/i,
    code: 'weights-format-unsupported',
    message: 'The backend does not read the quantization of this checkpoint.',
    setting: 'weightsFormat',
  },
  {
    pattern:
      /no valid parallel config|num_attention_heads % tp|num_key_value_heads % tp|ep > 1 is only supported in single-node/i,
    code: 'heads-not-divisible',
    message: 'Heads or experts do not divide over the ranks.',
    setting: 'tensorParallel',
  },
  {
    pattern: /kernel_block_size must be|block_size must be >= kernel_block_size/i,
    code: 'page-size-refused',
    message: 'The kernels do not take pages of this size.',
    setting: 'kvBlockTokens',
  },
  {
    pattern: /Multiple lora paths/i,
    code: 'lora-names',
    message: 'Several adapters need names, each its own.',
    setting: 'loraAdapters',
  },
  {
    pattern: /address already in use|error while attempting to bind on address/i,
    code: 'port-in-use',
    message: 'The port is taken by another process.',
    setting: null,
  },
  {
    pattern: /unrecognized arguments|invalid choice|error: argument --/i,
    code: 'unknown-flag',
    message: 'This version of LMDeploy does not know one of the arguments.',
    setting: null,
  },
  {
    pattern:
      /is not a valid model identifier|does not appear to have a file named|RepositoryNotFoundError|GatedRepoError|Failed to find valid checkpoint/i,
    code: 'model-load-failed',
    message: 'The checkpoint could not be loaded: unknown repository, no access, or files that are missing.',
    setting: 'weightsFormat',
  },
];

export const lmdeploy: Engine = {
  id: 'lmdeploy',
  title: 'LMDeploy',
  runtimes: [
    { id: 'turbomind', title: 'TurboMind (C++)', versions: ['0.16.0'] },
    { id: 'pytorch', title: 'PyTorch', versions: ['0.16.0'] },
  ],
  versions: {
    readFrom: '0.16.0',
    readTo: '0.16.0',
    pinned: '0.16.0',
    source: 'InternLM/lmdeploy v0.16.0 @1208bf006bbac69f1f012ceafeeeb70f623b632c and the wheel of that release',
  },
  command: () => ['lmdeploy', 'serve', 'api_server'],
  image: ({ hardware, version }) =>
    hardware.kind === 'cpu' ? null : `openmmlab/lmdeploy:${version.startsWith('v') ? version : `v${version}`}`,
  port: 23333,
  healthPath: '/health',
  metricsPath: '/metrics',
  metricNames: {
    running: 'lmdeploy:num_requests_running',
    waiting: 'lmdeploy:num_requests_waiting',
    kvUsage: 'lmdeploy:gpu_cache_usage_perc',
    draftTokens: 'lmdeploy:spec_decode_num_draft_tokens_total',
    acceptedTokens: 'lmdeploy:spec_decode_num_accepted_tokens_total',
    promptTokens: 'lmdeploy:prompt_tokens_total',
    cachedTokens: 'lmdeploy:cached_tokens_total',
    generatedTokens: 'lmdeploy:generation_tokens_total',
  },
  weightFormats: ['safetensors'],
  defaults: ({ runtime, modelMaxTokens }) => ({
    torchCompile: { value: 'off', source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    cudaGraphs:
      runtime === 'pytorch'
        ? { value: 'on', source: `${CLI}, --eager-mode` }
        : { value: 'off', source: `${MESSAGES}, TurbomindEngineConfig` },
    prefixCaching: { value: 'off', source: `${CLI}, --enable-prefix-caching` },
    staticKvCache: { value: 'off', source: `${CLI}, --cache-block-seq-len` },
    kvBlockTokens: { value: 64, source: `${CLI}, --cache-block-seq-len` },
    slidingWindow: { value: 'on', source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    chunkedPrefill:
      runtime === 'pytorch'
        ? { value: 'on', source: 'LMDeploy v0.16.0, lmdeploy/pytorch/engine/inputs_maker.py' }
        : { value: 'off', source: `${CLI}, --num-tokens-per-iter` },
    speculation: { value: 'off', source: `${CLI}, --speculative-algorithm` },
    draftTokens: { value: 1, source: `${CLI}, --speculative-num-draft-tokens` },
    draftTreeTopK: { value: 1, source: `${CLI}, --speculative-algorithm` },
    structuredOutputBackend: {
      value: 'xgrammar',
      source: 'LMDeploy v0.16.0, lmdeploy/pytorch/engine/guided_process.py',
    },
    schedulingPolicy: { value: 'first-come', source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    preemption: { value: 'recompute', source: 'LMDeploy v0.16.0, lmdeploy/pytorch/config.py, eviction_type' },
    batchWaitMs: { value: 0, source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    streamIntervalTokens: { value: 1, source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    metricsEndpoint: { value: 'on', source: `${CLI}, --disable-metrics` },
    tensorParallel: { value: 1, source: `${CLI}, --tp` },
    pipelineParallel: { value: 1, source: 'LMDeploy v0.16.0, lmdeploy/cli/serve.py' },
    dataParallel: { value: 1, source: `${CLI}, --dp` },
    expertParallel: { value: 1, source: `${CLI}, --ep` },
    attentionDataParallel: { value: 1, source: `${CLI}, --dp` },
    contextParallel: { value: 1, source: `${CLI}, --cp` },
    beams: { value: 1, source: 'LMDeploy v0.16.0, lmdeploy/serve/openai/protocol.py' },
    ...(runtime === 'pytorch'
      ? { prefillTokensPerStep: { value: 8192, source: `${CLI}, --max-prefill-token-num` } }
      : {}),
    ...(modelMaxTokens === null
      ? {}
      : { contextTokensPerSequence: { value: modelMaxTokens, source: `${CLI}, --session-len: from the model` } }),
  }),
  lowering: lmdeployLowering,
  pools: lmdeployPools,
  flags: flagTableSchema.parse(flagTable),
  failures: FAILURES,
};
