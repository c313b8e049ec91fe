import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/onnxruntime-genai.json';
import { ONNX_FOLDER } from './onnxruntime-genai/build';
import { onnxLowering } from './onnxruntime-genai/lowering';

const BUILDER = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/python/py/models/builder.py';
const CONFIG = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/config.cpp';
const README = 'onnxruntime-genai v0.15.2 @ed5f4e87, README.md (absence)';

/** A library: the builder makes a folder, code of one's own opens it. Nothing listens on a port. */
export const onnxruntimeGenai: Engine = {
  id: 'onnxruntime-genai',
  title: 'ONNX Runtime GenAI (no server)',
  runtimes: [],
  versions: {
    readFrom: '0.15.2',
    readTo: '0.15.2',
    pinned: '0.15.2',
    source: 'microsoft/onnxruntime-genai @ed5f4e87147731e5b07810f9f5c90103b3603cdf (v0.15.2)',
  },
  noServer: {
    reason:
      'it is a library without an HTTP server: a plan holds the builder command and the options laid over genai_config.json; a worker cannot start or measure it. Foundry Local, or a wrapper of your own, serves the folder',
    source: README,
  },
  command: () => ['python3', '-m', 'onnxruntime_genai.models.builder'],
  image: () => null,
  port: 0,
  healthPath: '',
  metricsPath: '',
  metricNames: {},
  weightFormats: ['safetensors', 'gguf'],
  defaults: () => ({
    torchCompile: { value: 'off', source: README },
    cudaGraphs: { value: 'off', source: `${BUILDER}, enable_cuda_graph` },
    operatorFusion: { value: 'on', source: `${CONFIG}, graph_optimization_level` },
    prefixCaching: { value: 'off', source: README },
    staticKvCache: { value: 'on', source: `${BUILDER}, past_present_share_buffer where supported` },
    slidingWindow: { value: 'on', source: BUILDER },
    maxSequences: { value: 1, source: `${CONFIG}, search.batch_size` },
    chunkedPrefill: { value: 'off', source: `${CONFIG}, search.chunk_size` },
    schedulingPolicy: { value: 'first-come', source: 'onnxruntime-genai v0.15.2 @ed5f4e87, src/engine' },
    preemption: { value: 'never', source: 'onnxruntime-genai v0.15.2 @ed5f4e87, src/engine' },
    speculation: { value: 'off', source: README },
    metricsEndpoint: { value: 'off', source: README },
    tensorParallel: { value: 1, source: README },
    pipelineParallel: { value: 1, source: README },
    dataParallel: { value: 1, source: README },
    expertParallel: { value: 1, source: README },
    attentionDataParallel: { value: 1, source: README },
    contextParallel: { value: 1, source: README },
    topK: { value: 50, source: `${CONFIG}, search.top_k` },
    beams: { value: 1, source: `${CONFIG}, search.num_beams` },
  }),
  lowering: onnxLowering,
  /** Laid over the file that the builder writes, by og.Config.overlay: it is never an argument. */
  configFile: { path: `${ONNX_FOLDER}/genai_config.overlay.json`, flag: null, format: 'json' },
  flags: flagTableSchema.parse(flagTable),
  failures: [
    {
      pattern: /max_length \(\d+\) cannot be greater than model context_length/i,
      code: 'context-above-model',
      message: 'The length is longer than the model was made for.',
      setting: 'contextTokensPerSequence',
    },
    {
      pattern: /Only beam search or sampling|TopK and TopP cannot be used with a beam search/i,
      code: 'beams-with-sampling',
      message: 'Beam search excludes sampling.',
      setting: 'beams',
    },
    {
      pattern: /is not currently supported\.|The model type is not supported for decoding/i,
      code: 'model-load-failed',
      message: 'The builder does not know this architecture.',
      setting: 'weightsFormat',
    },
    {
      pattern: /int8 precision does not support the QDQ format|kv_cache_scale_file|extra option must be KEY=VALUE/i,
      code: 'weights-unsupported',
      message: 'The builder refuses this combination of options.',
      setting: 'weightsFormat',
    },
    {
      pattern: /error: argument -|error: unrecognized arguments|invalid choice:/i,
      code: 'unknown-flag',
      message: 'This builder does not know one of the arguments.',
      setting: null,
    },
    {
      pattern: /Error encountered while parsing (?:config overlay|')|Unrecognized value:|JSON Error/i,
      code: 'config-key-unknown',
      message: 'genai_config.json holds a key or a value that this version does not know.',
      setting: null,
    },
    {
      pattern: /out of memory|Failed to allocate memory|std::bad_alloc|BFCArena/i,
      code: 'out-of-memory',
      message: 'Weights or the buffer of the whole length do not fit: shorten the length.',
      setting: 'contextTokensPerSequence',
    },
  ],
};
