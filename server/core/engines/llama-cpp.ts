import { EMBEDDED_FLAGS } from './embedded-flags';
import type { Engine, EngineDefault } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/llama-cpp.json';
import { llamaCppLowering } from './llama-cpp/lowering';

/** Build that the facts were read from (2026-08-22). */
const PINNED = 'b10573';
/** llama.cpp inside node-llama-cpp 3.21.1: its binaries carry the release tag v0.4.0 (_nlcBuildMetadata.json), no build number. */
const EMBEDDED_VERSION = 'v0.4.0';

const ARG_CPP = 'llama.cpp b10573, common/arg.cpp';

const embeddedDefault = (flag: string): EngineDefault => ({
  value: EMBEDDED_FLAGS.find((f) => f.name === flag)?.default ?? null,
  source: `embedded engine, ${flag}`,
});

const shared = (modelMaxTokens: number | null): ReturnType<Engine['defaults']> => ({
  flashAttention: { value: 'auto', source: `${ARG_CPP}, --flash-attn` },
  kvCacheKeyType: { value: 'F16', source: `${ARG_CPP}, --cache-type-k` },
  kvCacheValueType: { value: 'F16', source: `${ARG_CPP}, --cache-type-v` },
  prefixCaching: { value: 'on', source: `${ARG_CPP}, --cache-prompt` },
  speculation: { value: 'off', source: `${ARG_CPP}, --spec-type` },
  draftTokens: { value: 3, source: `${ARG_CPP}, --spec-draft-n-max` },
  tensorParallel: { value: 1, source: `${ARG_CPP}, --split-mode layer` },
  torchCompile: { value: 'off', source: 'llama.cpp b10573: C++, no PyTorch' },
  staticKvCache: { value: 'on', source: 'llama.cpp b10573, src/llama-context.cpp: one buffer' },
  slidingWindow: { value: 'on', source: `${ARG_CPP}, --swa-full` },
  chunkedPrefill: { value: 'on', source: `${ARG_CPP}, --batch-size` },
  schedulingPolicy: { value: 'first-come', source: 'llama.cpp b10573, tools/server/server-context.cpp' },
  preemption: { value: 'never', source: 'llama.cpp b10573, tools/server/server-context.cpp' },
  batchWaitMs: { value: 0, source: 'llama.cpp b10573, tools/server/server-context.cpp' },
  streamIntervalTokens: { value: 1, source: 'llama.cpp b10573, tools/server/server-context.cpp' },
  draftTreeTopK: { value: 1, source: 'llama.cpp b10573, common/speculative.cpp: chains only' },
  dataParallel: { value: 1, source: `${ARG_CPP}: one model a server` },
  expertParallel: { value: 1, source: `${ARG_CPP}, --split-mode layer` },
  attentionDataParallel: { value: 1, source: `${ARG_CPP}, --split-mode layer` },
  contextParallel: { value: 1, source: `${ARG_CPP}, --split-mode layer` },
  beams: { value: 1, source: 'llama.cpp b10573, tools/server/README.md' },
  ...(modelMaxTokens === null
    ? {}
    : { contextTokensPerSequence: { value: modelMaxTokens, source: `${ARG_CPP}, --ctx-size 0: from the model` } }),
});

export const llamaCpp: Engine = {
  id: 'llama.cpp',
  title: 'llama.cpp',
  runtimes: [
    { id: 'embedded', title: 'Embedded (node-llama-cpp 3.21.1)', versions: [EMBEDDED_VERSION] },
    { id: 'llama-server', title: 'llama-server', versions: [PINNED] },
  ],
  versions: {
    readFrom: PINNED,
    readTo: PINNED,
    pinned: PINNED,
    source: 'ggml-org/llama.cpp @d775b8967a46d8beb110d444aa3b8938179e0dd8',
  },
  command: (runtime) => (runtime === 'embedded' ? ['inferloom-engine'] : ['llama-server']),
  image: ({ hardware, version }) => {
    if (!/^b\d+$/.test(version)) return null;
    return `ghcr.io/ggml-org/llama.cpp:${variantOf(hardware)}-${version}`;
  },
  port: 8080,
  healthPath: '/health',
  metricsPath: '/metrics',
  metricNames: {
    running: 'llamacpp:requests_processing',
    waiting: 'llamacpp:requests_deferred',
    draftTokens: 'llamacpp:spec_decode_num_draft_tokens_total',
    acceptedTokens: 'llamacpp:spec_decode_num_accepted_tokens_total',
    promptTokens: 'llamacpp:prompt_tokens_total',
    generatedTokens: 'llamacpp:tokens_predicted_total',
  },
  weightFormats: ['gguf'],
  defaults: ({ runtime, modelMaxTokens }) =>
    runtime === 'embedded'
      ? {
          ...shared(modelMaxTokens),
          maxSequences: embeddedDefault('--parallel'),
          prefillTokensPerStep: embeddedDefault('--ubatch-size'),
          threads: embeddedDefault('--threads'),
          queueLimit: embeddedDefault('--queue-limit'),
          pipelineParallel: { value: 1, source: 'embedded engine: one device' },
          metricsEndpoint: { value: 'on', source: 'embedded engine, GET /metrics' },
          promptLookupMinTokens: embeddedDefault('--spec-ngram-simple-min-match'),
          promptLookupMaxTokens: embeddedDefault('--spec-ngram-simple-size-n'),
        }
      : {
          ...shared(modelMaxTokens),
          maxSequences: { value: 4, source: 'llama.cpp v0.4.0, tools/server/server.cpp:153 (--parallel -1)' },
          metricsEndpoint: { value: 'off', source: `${ARG_CPP}, --metrics` },
          cudaGraphs: { value: 'on', source: 'llama.cpp b10573, ggml-cuda: GGML_CUDA_DISABLE_GRAPHS unset' },
          operatorFusion: { value: 'on', source: 'llama.cpp b10573, ggml-cuda: GGML_CUDA_DISABLE_FUSION unset' },
          prefillTokensPerStep: { value: 2048, source: `${ARG_CPP}, --batch-size` },
          promptLookupMinTokens: { value: 12, source: `${ARG_CPP}, --spec-ngram-simple-size-n` },
          promptLookupMaxTokens: { value: 12, source: `${ARG_CPP}, --spec-ngram-simple-size-n` },
        },
  lowering: llamaCppLowering,
  flags: flagTableSchema.parse(flagTable),
  failures: [
    {
      pattern: /quantized V cache requires flash_attn|V cache quantization requires flash/i,
      code: 'kv-type-needs-flash-attention',
      message: 'A quantized value cache needs flash attention.',
      setting: 'kvCacheValueType',
    },
    {
      pattern: /Unsupported cache type/i,
      code: 'kv-type-unknown',
      message: 'The engine does not know this cache type.',
      setting: 'kvCacheKeyType',
    },
    {
      pattern: /couldn't bind HTTP server socket|EADDRINUSE|address already in use/i,
      code: 'port-in-use',
      message: 'The port is taken by another process.',
      setting: null,
    },
    {
      pattern: /invalid argument: --|unknown argument|the argument has been removed|Unknown option '--/i,
      code: 'unknown-flag',
      message: 'This build of the engine does not know one of the arguments.',
      setting: null,
    },
    {
      pattern:
        /out of memory|cudaMalloc failed|failed to allocate|unable to allocate|insufficient memory|std::bad_alloc/i,
      code: 'out-of-memory',
      message: 'Weights, cache or buffers do not fit into the memory: shorten the context or lower the sequences.',
      setting: 'contextTokensPerSequence',
    },
    {
      pattern: /draft .*(vocab|tokenizer)|vocab.*(mismatch|not compatible)|target and draft/i,
      code: 'draft-tokenizer-mismatch',
      message: 'The draft has another tokenizer than the target.',
      setting: 'speculation',
    },
    {
      pattern: /failed to load model|error loading model|no such file|invalid magic/i,
      code: 'model-load-failed',
      message: 'The model file could not be loaded.',
      setting: 'weightsFormat',
    },
  ],
};

/** Tag prefix of the official image for a device. */
function variantOf(hardware: { kind: 'cpu' | 'gpu'; id: string }): string {
  if (hardware.kind === 'cpu') return 'server';
  if (/^MI\d/.test(hardware.id)) return 'server-rocm';
  return 'server-cuda';
}
