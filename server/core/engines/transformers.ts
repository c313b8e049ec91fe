import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/transformers.json';
import { transformersLowering } from './transformers/lowering';

const SERVE = 'Transformers 5.17.0, transformers/cli/serve.py';
const BATCHING = 'Transformers 5.17.0, generation/configuration_utils.py, ContinuousBatchingConfig';

const FAILURES: Engine['failures'] = [
  {
    pattern: /CUDA out of memory|OutOfMemoryError|HIP out of memory/i,
    code: 'out-of-memory',
    message: 'Weights or cache do not fit: quantize, lower the memory share or the token budget.',
    setting: 'memoryFraction',
  },
  {
    pattern:
      /Unsupported attention implementation|FlashAttention\d? .*(cannot be used|not installed|requires)|flash_attn.* (is not|seems to be not) installed/i,
    code: 'attention-backend-unsupported',
    message: 'This attention implementation is unknown here or not installed.',
    setting: 'attentionBackend',
  },
  {
    pattern:
      /Unsupported quantization method|requires the latest version of bitsandbytes|bitsandbytes.*(not installed|is not available)|requires (gptqmodel|optimum|compressed.tensors)|Loading .*quantized model requires/i,
    code: 'quantization-library-missing',
    message: 'The library that reads or makes this weight format is not installed.',
    setting: 'weightsFormat',
  },
  {
    pattern: /Missing dependencies for serving/i,
    code: 'serving-extra-missing',
    message: 'The worker lacks transformers[serving].',
    setting: null,
  },
  {
    pattern: /requires you to execute|trust_remote_code=True/i,
    code: 'remote-code-needed',
    message: 'The model brings code of its own, which this worker does not run.',
    setting: 'weightsFormat',
  },
  {
    pattern: /address already in use|error while attempting to bind on address/i,
    code: 'port-in-use',
    message: 'The port is taken by another process.',
    setting: null,
  },
  {
    pattern: /No such option|Invalid value for|Got unexpected extra argument/i,
    code: 'unknown-flag',
    message: 'This version of Transformers does not know one of the arguments.',
    setting: null,
  },
  {
    pattern:
      /is not a (valid|local folder and is not a valid) model identifier|does not appear to have a file named|RepositoryNotFoundError|GatedRepoError|We couldn't connect to/i,
    code: 'model-load-failed',
    message: 'The checkpoint could not be loaded: unknown repository, no access, or files that are missing.',
    setting: 'weightsFormat',
  },
];

export const transformers: Engine = {
  id: 'transformers',
  title: 'Transformers serve',
  runtimes: [],
  versions: { readFrom: '5.17.0', readTo: '5.17.0', pinned: '5.17.0', source: 'the wheel transformers 5.17.0' },
  command: () => ['transformers', 'serve'],
  // huggingface/transformers-pytorch-gpu is for training and tests; nobody publishes an image that serves.
  image: () => null,
  port: 8000,
  healthPath: '/health',
  metricsPath: '',
  metricNames: {},
  weightFormats: ['safetensors', 'gguf'],
  defaults: ({ modelMaxTokens }) => ({
    torchCompile: { value: 'off', source: `${SERVE}, --compile` },
    prefixCaching: { value: 'on', source: `${BATCHING}, allow_block_sharing` },
    staticKvCache: { value: 'off', source: `${SERVE}, --compile` },
    kvBlockTokens: { value: 256, source: `${BATCHING}, block_size` },
    slidingWindow: { value: 'on', source: SERVE },
    speculation: { value: 'off', source: SERVE },
    chunkedPrefill: { value: 'on', source: `${BATCHING}, max_batch_tokens` },
    schedulingPolicy: { value: 'first-come', source: `${BATCHING}, scheduler_type` },
    preemption: { value: 'recompute', source: `${BATCHING}, cpu_offload_space` },
    batchWaitMs: { value: 0, source: SERVE },
    streamIntervalTokens: { value: 1, source: SERVE },
    metricsEndpoint: { value: 'off', source: SERVE },
    tensorParallel: { value: 1, source: SERVE },
    pipelineParallel: { value: 1, source: SERVE },
    dataParallel: { value: 1, source: SERVE },
    expertParallel: { value: 1, source: SERVE },
    attentionDataParallel: { value: 1, source: SERVE },
    contextParallel: { value: 1, source: SERVE },
    beams: { value: 1, source: SERVE },
    ...(modelMaxTokens === null
      ? {}
      : { contextTokensPerSequence: { value: modelMaxTokens, source: `${SERVE}: the model's own` } }),
  }),
  lowering: transformersLowering,
  flags: flagTableSchema.parse(flagTable),
  failures: FAILURES,
};
