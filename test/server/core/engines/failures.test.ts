import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';

/** Lines that engines print, from their sources and from issues of their projects. */
describe('failure patterns', () => {
  it.each([
    ['llama.cpp', "E srv  start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080", 'port-in-use'],
    ['llama.cpp', 'error: invalid argument: --bogus', 'unknown-flag'],
    [
      'llama.cpp',
      'llama_init_from_model: quantized V cache requires flash_attn to be enabled',
      'kv-type-needs-flash-attention',
    ],
    ['llama.cpp', 'error while handling argument "--cache-type-k": Unsupported cache type: fp8', 'kv-type-unknown'],
    ['llama.cpp', 'error while handling argument "--draft-max": the argument has been removed.', 'unknown-flag'],
    [
      'llama.cpp',
      "E gguf_init_from_file: failed to open GGUF file 'nope.gguf' (No such file or directory)",
      'model-load-failed',
    ],
    [
      'llama.cpp',
      'E llama_model_load: error loading model: llama_model_loader: failed to load model',
      'model-load-failed',
    ],
    ['llama.cpp', 'ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory', 'out-of-memory'],
    ['llama.cpp', "srv load_model: failed to load model, 'x.gguf'", 'model-load-failed'],
    ['llama.cpp', 'E spec common_specu: the target and draft vocabs are not compatible', 'draft-tokenizer-mismatch'],
    ['vllm', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB', 'out-of-memory'],
    ['vllm', 'vllm serve: error: unrecognized arguments: --bogus', 'unknown-flag'],
    ['vllm', 'OSError: [Errno 98] Address already in use', 'port-in-use'],
    ['tensorrt-llm', '[TRT-LLM] [E] Executor creation failed due to insufficient GPU memory.', 'out-of-memory'],
    ['tensorrt-llm', 'torch.AcceleratorError: CUDA error: out of memory', 'out-of-memory'],
    [
      'tensorrt-llm',
      'ERROR: Failed to create instance: unexpected error when creating modelInstanceState: maxTokensInPagedKvCache (29184) must be large enough to process at least 1 sequence to completion (i.e. must be larger than beam_width (1) * tokensPerBlock (128) * maxBlocksPerSeq (272))',
      'context-does-not-fit',
    ],
    [
      'tensorrt-llm',
      "NotImplementedError: Unsupported quantization_config: {'config_groups': {'group_0': {'input_activations': {'num_bits': 8}}}}",
      'weights-unsupported',
    ],
    ['tensorrt-llm', 'W4A(fp)8 kernel is unsupported on pre-Ada (sm<89) architectures!', 'weights-unsupported'],
    [
      'tensorrt-llm',
      '  Extra inputs are not permitted [type=extra_forbidden, input_value=True, input_type=bool]',
      'config-key-unknown',
    ],
    [
      'tensorrt-llm',
      "TypeError: LlmArgs.__init__() got an unexpected keyword argument 'enable_attention_dp'",
      'config-key-unknown',
    ],
    [
      'tensorrt-llm',
      'RuntimeError: Failed to bind socket to localhost:8000: [Errno 98] Address already in use',
      'port-in-use',
    ],
    ['tensorrt-llm', 'ValueError: No GPU devices found on the node', 'device-missing'],
    ['tensorrt-llm', 'Error: No such option: --bogus', 'unknown-flag'],
    ['tensorrt-llm', 'Value error, speculative_model must be specified for DraftTarget', 'draft-missing'],
    [
      'tgi',
      'ERROR warmup{max_input_length=64 max_prefill_tokens=256}:warmup: text_generation_client: router/client/src/lib.rs:33: Server error: Not enough memory to handle 256 prefill tokens. You need to decrease `--max-batch-prefill-tokens`',
      'prefill-does-not-fit',
    ],
    [
      'tgi',
      'Error: ArgumentValidation("`max_input_tokens`(4096) must be < `max_total_tokens`(2048)")',
      'context-does-not-fit',
    ],
    ['tgi', 'Error: NotEnoughCUDADevices("`sharded` is true but only found 1 CUDA devices")', 'device-missing'],
    [
      'tgi',
      'RuntimeError: Speculate is set to `5` but this medusa models only has `3` heads, please make them match',
      'draft-length',
    ],
    ['tgi', 'RuntimeError: Prefix caching is only supported with flashinfer', 'prefix-caching-needs-kernels'],
    [
      'tgi',
      'ValueError: FP8 KV cache is currently only supported for flashinfer on CUDA and paged attention on CUDA, ROCm and INTEL IPEX and flashdecoding in Intel IPEX',
      'kv-type-unknown',
    ],
    ['tgi', 'ImportError: GPU with CUDA capability 7 0 is not supported', 'attention-unsupported'],
    ['tgi', "ValueError: Group 'group_0' has unsupported compressed-tensors configurtion", 'weights-unsupported'],
    ['tgi', "error: unexpected argument '--bogus' found", 'unknown-flag'],
    ['tgi', "error: invalid value 'int3' for '--quantize <QUANTIZE>'", 'unknown-flag'],
    ['tgi', 'No .safetensors weights found for model org/model and revision None.', 'model-load-failed'],
    [
      'onnxruntime-genai',
      'max_length (8192) cannot be greater than model context_length (4096)',
      'context-above-model',
    ],
    ['onnxruntime-genai', 'TopK and TopP cannot be used with a beam search', 'beams-with-sampling'],
    ['onnxruntime-genai', 'NotImplementedError: The org/model model is not currently supported.', 'model-load-failed'],
    ['onnxruntime-genai', "builder.py: error: argument -p/--precision: invalid choice: 'int3'", 'unknown-flag'],
    [
      'onnxruntime-genai',
      'Error encountered while parsing config overlay: Unrecognized value:bogus',
      'config-key-unknown',
    ],
    ['endpoint', 'connect ECONNREFUSED 127.0.0.1:8000', 'endpoint-unreachable'],
  ])('%s: %s', (id, line, code) => {
    const engine = ENGINES.find((entry) => entry.id === id);
    expect(engine?.failures.find((failure) => failure.pattern.test(line))?.code).toBe(code);
  });
});
