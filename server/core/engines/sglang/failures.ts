import type { Engine } from '../engine';

/** Lines of a failed launch, the most telling first. Read from the sources of 0.5.18 and its issues. */
export const SGLANG_FAILURES: Engine['failures'] = [
  {
    pattern: /Not enough memory\. Please try to increase --mem-fraction-static/i,
    code: 'out-of-memory',
    message: 'Weights leave no room for the cache: raise the memory share, spread over more devices or quantize.',
    setting: 'memoryFraction',
  },
  {
    pattern: /CUDA out of memory|OutOfMemoryError|HIP out of memory|Capture CUDA graph failed/i,
    code: 'out-of-memory',
    message: 'Activations or graphs found no memory: lower the memory share, the captured batch or the prefill chunk.',
    setting: 'memoryFraction',
  },
  {
    pattern:
      /FlashAttention v3 Backend requires|backend can only be used with non-MLA models|only supports? .*attention backend/i,
    code: 'attention-backend-unsupported',
    message: 'This attention kernel does not run on the device or the model.',
    setting: 'attentionBackend',
  },
  {
    pattern: /quantization method .* is not supported for the current GPU|Minimum capability: \d+/i,
    code: 'weights-need-newer-gpu',
    message: 'The device is older than the kernels of this weight format.',
    setting: 'weightsFormat',
  },
  {
    pattern:
      /is not divisible by weight quantization block|is not divisible by .*block_[nk]|not aligned with the quantized weight shape/i,
    code: 'quantization-block-split',
    message:
      'Blocks of the quantized weights do not divide over the ranks: fewer tensor-parallel ranks, or more expert groups.',
    setting: 'tensorParallel',
  },
  {
    pattern: /total_num_heads % tp_size|attention heads.*(divisible|divide)|tp_size must be divisible/i,
    code: 'heads-not-divisible',
    message: 'Attention heads do not divide over the ranks.',
    setting: 'tensorParallel',
  },
  {
    pattern: /LoRA is only compatible with NGRAM speculative decoding/i,
    code: 'lora-with-speculation',
    message: 'LoRA adapters run with prompt lookup only.',
    setting: 'loraAdapters',
  },
  {
    pattern: /Pipeline parallelism is not compatible with .*speculative decoding/i,
    code: 'pipeline-with-speculation',
    message: 'Pipeline stages and speculation exclude each other.',
    setting: 'pipelineParallel',
  },
  {
    pattern: /chunked_prefill_size must be divisible by page_size/i,
    code: 'chunk-not-whole-pages',
    message: 'The prefill chunk is no multiple of the page.',
    setting: 'prefillTokensPerStep',
  },
  {
    pattern: /To use priority scheduling, schedule_policy must be/i,
    code: 'priority-policy',
    message: 'Priorities go with arrival order only.',
    setting: 'schedulingPolicy',
  },
  {
    pattern: /context_length \(\d+\) is greater than the derived context_length/i,
    code: 'context-above-model',
    message: 'The context is longer than the model was made for.',
    setting: 'contextTokensPerSequence',
  },
  {
    pattern:
      /speculative decoding (requires|does not support|only supports)|speculative_eagle_topk|requires setting --speculative-draft-model-path/i,
    code: 'speculation-refused',
    message: 'The method of speculation does not fit the rest of the plan.',
    setting: 'speculation',
  },
  {
    pattern: /address already in use|error while attempting to bind on address|Port is already in use/i,
    code: 'port-in-use',
    message: 'The port is taken by another process.',
    setting: null,
  },
  {
    pattern: /unrecognized arguments|invalid choice|error: argument --|is no longer supported\. Use/i,
    code: 'unknown-flag',
    message: 'This version of SGLang does not know one of the arguments.',
    setting: null,
  },
  {
    pattern:
      /is not a valid model identifier|does not appear to have a file named|RepositoryNotFoundError|GatedRepoError|Cannot find any model weights/i,
    code: 'model-load-failed',
    message: 'The checkpoint could not be loaded: unknown repository, no access, or files that are missing.',
    setting: 'weightsFormat',
  },
];
