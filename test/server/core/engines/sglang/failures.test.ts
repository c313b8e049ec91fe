import { describe, expect, it } from 'vitest';
import { SGLANG_FAILURES } from '@/server/core/engines/sglang/failures';

describe('SGLang: lines of a failed launch', () => {
  it.each([
    [
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.7',
      'out-of-memory',
    ],
    [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity',
      'out-of-memory',
    ],
    ['Exception: Capture cuda graph failed: CUDA error: an illegal memory access was encountered', 'out-of-memory'],
    [
      'AssertionError: FlashAttention v3 Backend requires SM>=80 and SM<=90. Please use `--attention-backend flashinfer`.',
      'attention-backend-unsupported',
    ],
    ['ValueError: trtllm_mha backend can only be used with non-MLA models.', 'attention-backend-unsupported'],
    [
      'ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 80. Current capability: 75.',
      'weights-need-newer-gpu',
    ],
    [
      'ValueError: Weight input_size_per_partition = 192 is not divisible by weight quantization block_k = 128.',
      'quantization-block-split',
    ],
    ['    assert self.total_num_heads % tp_size == 0', 'heads-not-divisible'],
    ['AssertionError: tp_size must be divisible by dp_size * attn_cp_size', 'heads-not-divisible'],
    ['ValueError: Currently LoRA is only compatible with NGRAM speculative decoding.', 'lora-with-speculation'],
    [
      'AssertionError: Pipeline parallelism is not compatible with overlap schedule, speculative decoding',
      'pipeline-with-speculation',
    ],
    ['AssertionError: chunked_prefill_size must be divisible by page_size', 'chunk-not-whole-pages'],
    [
      "AssertionError: To use priority scheduling, schedule_policy must be 'fcfs' or 'lof'. 'lpm' is not supported.",
      'priority-policy',
    ],
    [
      'ValueError: Warning: User-specified context_length (200000) is greater than the derived context_length (131072).',
      'context-above-model',
    ],
    ['ValueError: DFLASH speculative decoding requires setting --speculative-draft-model-path.', 'speculation-refused'],
    ["[Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use", 'port-in-use'],
    [
      "launch_server.py: error: argument --kv-cache-dtype: invalid choice: 'int8' (choose from 'auto', 'bf16')",
      'unknown-flag',
    ],
    ['launch_server.py: error: unrecognized arguments: --enable-ep-moe', 'unknown-flag'],
    ['RuntimeError: Cannot find any model weights with `acme/empty`', 'model-load-failed'],
    ['huggingface_hub.errors.GatedRepoError: 403 Client Error.', 'model-load-failed'],
  ])('%s', (line, code) => {
    expect(SGLANG_FAILURES.find((failure) => failure.pattern.test(line))?.code).toBe(code);
  });
});
