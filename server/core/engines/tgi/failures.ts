import type { Engine } from '../engine';

/** Messages of the launcher, the router and the shards; sources are of TGI @db931fcf. First match wins. */
export const TGI_FAILURES: Engine['failures'] = [
  {
    // models/flash_causal_lm.py:1551.
    pattern: /Not enough memory to handle .* prefill tokens/i,
    code: 'prefill-does-not-fit',
    message: 'One prefill does not fit beside the weights: lower its token budget.',
    setting: 'prefillTokensPerStep',
  },
  {
    pattern: /CUDA out of memory|OutOfMemoryError|Not enough VRAM to run the model/i,
    code: 'out-of-memory',
    message: 'Weights or cache do not fit into the memory: use more shards or a smaller format.',
    setting: 'memoryFraction',
  },
  {
    // launcher/src/main.rs, argument validation.
    pattern:
      /`max_total_tokens` must be <= `max_batch_total_tokens`|`max_input_tokens`\(\d+\) must be <|max_input_(?:tokens|length)` must be/i,
    code: 'context-does-not-fit',
    message: 'The lengths contradict each other or the memory of a batch.',
    setting: 'contextTokensPerSequence',
  },
  {
    // launcher/src/main.rs:1386.
    pattern: /not enough cuda devices|`sharded` is true but/i,
    code: 'device-missing',
    message: 'There are fewer devices than shards.',
    setting: 'tensorParallel',
  },
  {
    // models/__init__.py, Medusa and MLP speculators.
    pattern: /Speculate is set to .* but this (?:medusa|mlp_speculator) models only has/i,
    code: 'draft-length',
    message: 'More tokens are drafted than heads were trained.',
    setting: 'draftTokens',
  },
  {
    // models/globals.py.
    pattern: /Prefix caching is only supported with flashinfer/i,
    code: 'prefix-caching-needs-kernels',
    message: 'Prefix caching needs flashinfer or flashdecoding.',
    setting: 'prefixCaching',
  },
  {
    // layers/attention/kv_cache.py.
    pattern: /FP8 KV cache is currently only supported for|FP8 KV cache is not supported/i,
    code: 'kv-type-unknown',
    message: 'The attention kernels in use read no FP8 cache.',
    setting: 'kvCacheKeyType',
  },
  {
    // layers/attention/cuda.py.
    pattern:
      /GPU with CUDA capability .* is not supported|Flash Attention V2 is not installed|FlashAttention only supports Ampere/i,
    code: 'attention-unsupported',
    message: 'The GPU is too old for the attention kernels.',
    setting: 'attentionBackend',
  },
  {
    // layers/compressed_tensors/loader.py and the quantization of get_loader.
    pattern:
      /has unsupported compressed-tensors configurtion|Quantize is set to `.*` but received a|Only 4-?bits? are supported|Cannot parse compressed-tensors/i,
    code: 'weights-unsupported',
    message: 'The quantization of the checkpoint is not the one that was asked for, or has no kernels.',
    setting: 'weightsFormat',
  },
  {
    pattern: /Address already in use|EADDRINUSE/i,
    code: 'port-in-use',
    message: 'The port is taken by another process.',
    setting: null,
  },
  {
    // clap's own words.
    pattern: /error: unexpected argument '|error: invalid value '.*' for '--|cannot be used with/i,
    code: 'unknown-flag',
    message: 'This version does not know one of the arguments, or its value.',
    setting: null,
  },
  {
    pattern:
      /RepositoryNotFoundError|GatedRepoError|Download error|Download encountered an error|No \.?\w+ weights found|No local weights found/i,
    code: 'model-load-failed',
    message: 'The checkpoint could not be loaded: unknown repository, no access, or no safetensors files.',
    setting: 'weightsFormat',
  },
];
