import { vendorOf } from './device';
import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/tgi.json';
import { TGI_FAILURES } from './tgi/failures';
import { tgiLowering } from './tgi/lowering';

const LAUNCHER = 'TGI @db931fcf, launcher/src/main.rs';
const GLOBALS = 'TGI @db931fcf, server/text_generation_server/models/globals.py';
const ROUTER = 'TGI @db931fcf, router/src';

const IMAGE = 'ghcr.io/huggingface/text-generation-inference';

/** Suffix of the image's tag by vendor; NVIDIA has none. */
function imageSuffix(hardware: { kind: 'cpu' | 'gpu'; id: string }): string {
  if (hardware.kind === 'cpu') return '-intel-cpu';
  const vendor = vendorOf(hardware);
  if (vendor === 'amd') return '-rocm';
  return vendor === 'intel' ? '-gaudi' : '';
}

/** Maintenance mode: its README sends new deployments to vLLM, SGLang or llama.cpp. */
export const tgi: Engine = {
  id: 'tgi',
  title: 'TGI (maintenance mode)',
  runtimes: [],
  versions: {
    readFrom: '3.3.7',
    readTo: '3.3.7',
    pinned: '3.3.7',
    source: 'huggingface/text-generation-inference @db931fcf42da018a3657580c64bf2720f167f9ab (2026-01-08)',
  },
  command: () => ['text-generation-launcher'],
  image: ({ hardware, version }) => `${IMAGE}:${version.replace(/^v/, '')}${imageSuffix(hardware)}`,
  /** Of the images; the bare launcher listens on 3000. */
  port: 80,
  healthPath: '/health',
  metricsPath: '/metrics',
  metricNames: {
    running: 'tgi_batch_current_size',
    waiting: 'tgi_queue_size',
    promptTokens: 'tgi_request_input_length_sum',
    generatedTokens: 'tgi_request_generated_tokens_sum',
    acceptedTokens: 'tgi_request_skipped_tokens_sum',
  },
  weightFormats: ['safetensors'],
  defaults: ({ modelMaxTokens }) => ({
    attentionBackend: { value: 'flashinfer', source: `${LAUNCHER}, resolve_attention` },
    torchCompile: { value: 'off', source: `${GLOBALS} (absence)` },
    cudaGraphs: { value: 'on', source: `${LAUNCHER}, --cuda-graphs` },
    operatorFusion: { value: 'on', source: `${LAUNCHER}, --disable-custom-kernels` },
    prefixCaching: { value: 'on', source: `${LAUNCHER}, resolve_attention` },
    staticKvCache: { value: 'off', source: GLOBALS },
    kvBlockTokens: { value: 1, source: `${GLOBALS}, BLOCK_SIZE with flashinfer` },
    slidingWindow: { value: 'on', source: 'TGI @db931fcf, server/text_generation_server/models/custom_modeling' },
    chunkedPrefill: { value: 'on', source: `${GLOBALS}, PREFILL_CHUNKING` },
    schedulingPolicy: { value: 'first-come', source: ROUTER },
    preemption: { value: 'never', source: ROUTER },
    streamIntervalTokens: { value: 1, source: ROUTER },
    metricsEndpoint: { value: 'on', source: ROUTER },
    structuredOutputBackend: { value: 'outlines', source: ROUTER },
    speculation: { value: 'off', source: `${LAUNCHER}, --speculate` },
    tensorParallel: { value: 1, source: `${LAUNCHER}, --num-shard` },
    pipelineParallel: { value: 1, source: `${LAUNCHER} (absence)` },
    dataParallel: { value: 1, source: `${LAUNCHER} (absence)` },
    expertParallel: { value: 1, source: `${LAUNCHER} (absence)` },
    attentionDataParallel: { value: 1, source: `${LAUNCHER} (absence)` },
    contextParallel: { value: 1, source: `${LAUNCHER} (absence)` },
    memoryFraction: { value: 1, source: `${LAUNCHER}, --cuda-memory-fraction` },
    beams: { value: 1, source: `${ROUTER}/lib.rs` },
    ...(modelMaxTokens === null
      ? {}
      : {
          contextTokensPerSequence: {
            value: modelMaxTokens,
            source: `${LAUNCHER}, --max-total-tokens: from the model, if it fits`,
          },
        }),
  }),
  lowering: tgiLowering,
  flags: flagTableSchema.parse(flagTable),
  failures: TGI_FAILURES,
};
