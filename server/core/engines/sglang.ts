import { findHardware } from '../facts/hardware';
import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/sglang.json';
import { SGLANG_FAILURES } from './sglang/failures';
import { sglangLowering } from './sglang/lowering';
import { sglangPools } from './sglang/pools';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';

/** Tag of the image: the ROCm builds are one for MI300 and one for MI350. */
function variantOf({ id, kind }: { kind: 'cpu' | 'gpu'; id: string }): string {
  if (kind === 'cpu') return '-xeon';
  const facts = findHardware(id);
  if (facts?.vendor !== 'amd') return '';
  return facts.computeCapability === 'gfx950' ? '-rocm720-mi35x' : '-rocm720-mi30x';
}

export const sglang: Engine = {
  id: 'sglang',
  title: 'SGLang',
  runtimes: [],
  versions: {
    readFrom: '0.5.18',
    readTo: '0.5.18',
    pinned: '0.5.18',
    source:
      'sgl-project/sglang v0.5.18 @71de97b264b04dcd514cf904003028aefe9775c8 and the wheel of that release; all that is emitted has the same name in the wheel 0.5.23',
  },
  command: () => ['python3', '-m', 'sglang.launch_server'],
  image: ({ hardware, version }) => {
    const tag = version.startsWith('v') ? version : `v${version}`;
    return `lmsysorg/sglang:${tag}${variantOf(hardware)}`;
  },
  port: 30000,
  healthPath: '/health',
  metricsPath: '/metrics',
  metricNames: {
    running: 'sglang:num_running_reqs',
    waiting: 'sglang:num_queue_reqs',
    kvUsage: 'sglang:token_usage',
    promptTokens: 'sglang:prompt_tokens_total',
    cachedTokens: 'sglang:cached_tokens_total',
    generatedTokens: 'sglang:generation_tokens_total',
    preemptions: 'sglang:num_retracted_requests_total',
  },
  weightFormats: ['safetensors', 'gguf'],
  defaults: ({ modelMaxTokens }) => ({
    torchCompile: { value: 'off', source: `${ARGS}, --enable-torch-compile` },
    cudaGraphs: { value: 'on', source: `${ARGS}, --cuda-graph-backend-decode` },
    operatorFusion: { value: 'off', source: `${ARGS}, --enable-fused-qk-norm-rope` },
    prefixCaching: { value: 'on', source: `${ARGS}, --disable-radix-cache` },
    staticKvCache: { value: 'off', source: 'SGLang v0.5.18, python/sglang/srt/mem_cache' },
    slidingWindow: { value: 'on', source: `${ARGS}, --disable-hybrid-swa-memory` },
    speculation: { value: 'off', source: `${ARGS}, --speculative-algorithm` },
    promptLookupMinTokens: { value: 1, source: 'SGLang v0.5.18, python/sglang/srt/speculative/ngram_worker.py' },
    promptLookupMaxTokens: { value: 18, source: `${ARGS}, --speculative-ngram-max-trie-depth` },
    chunkedPrefill: { value: 'on', source: `${ARGS}:4802, _handle_gpu_memory_settings` },
    schedulingPolicy: { value: 'first-come', source: `${ARGS}, --schedule-policy` },
    priorityHighFirst: { value: true, source: `${ARGS}, --schedule-low-priority-values-first` },
    preemption: { value: 'recompute', source: 'SGLang v0.5.18, python/sglang/srt/managers/scheduler.py' },
    batchWaitMs: { value: 0, source: `${ARGS}, --enable-prefill-delayer` },
    streamIntervalTokens: { value: 1, source: `${ARGS}, --stream-interval` },
    metricsEndpoint: { value: 'off', source: `${ARGS}, --enable-metrics` },
    structuredOutputBackend: { value: 'xgrammar', source: `${ARGS}, --grammar-backend` },
    tensorParallel: { value: 1, source: `${ARGS}, --tp-size` },
    pipelineParallel: { value: 1, source: `${ARGS}, --pp-size` },
    dataParallel: { value: 1, source: `${ARGS}, --dp-size` },
    expertParallel: { value: 1, source: `${ARGS}, --ep-size` },
    attentionDataParallel: { value: 1, source: `${ARGS}, --enable-dp-attention` },
    contextParallel: { value: 1, source: `${ARGS}, --attn-cp-size` },
    loraMaxActive: { value: 8, source: `${ARGS}, --max-loras-per-batch` },
    beams: { value: 1, source: 'SGLang v0.5.18, python/sglang/srt/entrypoints/openai/protocol.py' },
    ...(modelMaxTokens === null
      ? {}
      : { contextTokensPerSequence: { value: modelMaxTokens, source: `${ARGS}, --context-length: from the model` } }),
  }),
  lowering: sglangLowering,
  pools: sglangPools,
  flags: flagTableSchema.parse(flagTable),
  failures: SGLANG_FAILURES,
};
