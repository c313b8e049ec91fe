import type { Engine } from '../engine';

/** Messages of trtllm-serve and its executor, first match wins. */
export const TENSORRT_FAILURES: Engine['failures'] = [
  {
    // pyexecutor/py_executor_creator.py, and torch underneath.
    pattern: /Executor creation failed due to insufficient GPU memory|OutOfMemoryError|CUDA (?:error: )?out of memory/i,
    code: 'out-of-memory',
    message: 'Weights, cache or buffers do not fit: lower the step budget, the length, or the share left to the cache.',
    setting: 'memoryFraction',
  },
  {
    // NVIDIA/TensorRT-LLM issue 542.
    pattern: /maxTokensInPagedKvCache .*must be large enough to process at least 1 sequence/i,
    code: 'context-does-not-fit',
    message: 'The cache cannot hold one sequence of this length.',
    setting: 'contextTokensPerSequence',
  },
  {
    // NVIDIA/TensorRT-LLM issue 6988, a W8A8 INT8 checkpoint.
    pattern: /NotImplementedError: Unsupported quantization_config/i,
    code: 'weights-unsupported',
    message: 'This engine has no kernels for the quantization of the checkpoint.',
    setting: 'weightsFormat',
  },
  {
    // NVIDIA/TensorRT-LLM issue 1843: FP8 math on Ampere.
    pattern: /kernel is unsupported on pre-Ada|FP8.*(?:requires|not supported).*(?:sm|arch|Ada|Hopper)/i,
    code: 'weights-unsupported',
    message: 'The GPU is too old for the number format of the checkpoint.',
    setting: 'weightsFormat',
  },
  {
    // Strict pydantic models of llm_args.py.
    pattern: /Extra inputs are not permitted|unexpected keyword argument/i,
    code: 'config-key-unknown',
    message: 'This version does not know one of the keys of the configuration file.',
    setting: null,
  },
  {
    pattern: /CudaGraphConfig\.max_batch_size is incompatible/i,
    code: 'graph-sizes',
    message: 'The largest captured batch must be the largest of the listed sizes.',
    setting: 'cudaGraphMaxBatch',
  },
  {
    pattern: /speculative_model must be specified|max_draft_len must be > 0/i,
    code: 'draft-missing',
    message: 'The speculation lacks its draft checkpoint or its length.',
    setting: 'speculation',
  },
  {
    // serve.py, launch_server.
    pattern: /Failed to bind socket to|address already in use|EADDRINUSE/i,
    code: 'port-in-use',
    message: 'The port is taken by another process.',
    setting: null,
  },
  {
    // serve.py, get_llm_args.
    pattern: /No GPU devices found on the node/i,
    code: 'device-missing',
    message: 'The container sees no GPU.',
    setting: null,
  },
  {
    // click's own words.
    pattern: /Error: No such option:|Error: Invalid value for|is not a known backend/i,
    code: 'unknown-flag',
    message: 'This version does not know one of the arguments.',
    setting: null,
  },
  {
    pattern: /RepositoryNotFoundError|GatedRepoError|is not a valid model identifier|LocalEntryNotFoundError/i,
    code: 'model-load-failed',
    message: 'The checkpoint could not be loaded: unknown repository or no access.',
    setting: 'weightsFormat',
  },
];
