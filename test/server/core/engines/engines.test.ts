import { describe, expect, it } from 'vitest';
import type { Engine, Lowered, LoweringContext } from '@/server/core/engines/engine';
import { findSpelling } from '@/server/core/engines/find-flag-spelling';
import { findFlag } from '@/server/core/engines/flag';
import { ENGINES } from '@/server/core/engines/index';
import { partsOf } from '@/server/core/engines/lower';
import { compareVersions, isAtLeast } from '@/server/core/engines/version';
import { SETTING_NAMES, type SettingName, settingSchemas } from '@/server/core/plan/settings';
import { checkpoint, loweringContext } from '@/test/fixtures/lowering-context';

const SAMPLES: Partial<Record<SettingName, unknown[]>> = {
  weightsFormat: ['gguf:Q4_K_M', 'safetensors:bfloat16'],
  apiKeySecret: ['INFERLOOM_SECRET_API_KEY'],
  torchProfilerFolder: ['/traces'],
  loraAdapters: [
    [{ name: 'sql', source: '/adapters/sql' }],
    [
      { name: 'a', source: 'org/a' },
      { name: 'b', source: 'org/b' },
    ],
  ],
  priorityHighFirst: [true, false],
  memoryFraction: [0.5],
  topP: [0.5],
  minP: [0.5],
};
const samplesOf = (name: SettingName): unknown[] => {
  const schema = settingSchemas[name];
  return SAMPLES[name] ?? ('options' in schema ? [...schema.options] : [1, 4]);
};

type Part = ReturnType<typeof partsOf>[number];

function partsAt(engine: Engine, name: SettingName, value: unknown, context: LoweringContext): Part[] {
  const lowering = engine.lowering[name];
  return partsOf(
    typeof lowering === 'function'
      ? (lowering as (v: unknown, c: LoweringContext, s: 'target') => Lowered)(value, context, 'target')
      : { kind: 'unsupported', reason: lowering.unsupported, source: lowering.source },
  );
}

const DEVICES = [
  { kind: 'cpu' as const, id: 'cpu-local', count: 4 },
  { kind: 'gpu' as const, id: 'H100-SXM', count: 4 },
];

/** Every (setting, value, runtime, device, speculation) that the engine can be asked to lower. */
function lowerings(engine: Engine): { name: SettingName; value: unknown; parts: Part[]; runtime: string | null }[] {
  const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map((r) => r.id) : [null];
  const version = engine.versions.pinned;
  const checkpoints = [checkpoint(), checkpoint({ scope: 'draft', format: 'safetensors:bfloat16' })];
  const situations = runtimes.flatMap((runtime) =>
    DEVICES.flatMap((hardware) =>
      (['off', 'draft-model', 'prompt-lookup'] as const).map((speculation) => ({ runtime, hardware, speculation })),
    ),
  );
  return situations.flatMap(({ runtime, hardware, speculation }) =>
    SETTING_NAMES.flatMap((name) =>
      samplesOf(name).map((value) => {
        const values = { speculation, draftTokens: 3, [name]: value };
        const context = loweringContext({ runtime, version, values, hardware, checkpoints });
        return { name, value, parts: partsAt(engine, name, value, context), runtime };
      }),
    ),
  );
}

describe.each(ENGINES.map((engine) => [engine.id, engine] as const))('%s', (_, engine) => {
  it('gives a reason and a source with every refusal', () => {
    for (const { name, parts } of lowerings(engine)) {
      expect(parts.length, name).toBeGreaterThan(0);
      for (const part of parts) {
        if (part.kind !== 'unsupported' && part.kind !== 'caution') continue;
        expect((part.kind === 'caution' ? part.message : part.reason).length, name).toBeGreaterThan(15);
        expect(part.source.length, name).toBeGreaterThan(5);
      }
    }
  });

  it('says nothing only where the value is the default', () => {
    for (const { name, value, parts, runtime } of lowerings(engine)) {
      const [only] = parts;
      if (parts.length > 1 || only?.kind !== 'args' || only.args.length > 0) continue;
      const known = engine.defaults({ runtime, modelMaxTokens: null })[name];
      expect(known?.value, `${name} ${String(value)}`).toEqual(value);
    }
  });

  it('emits only flags that its table knows', () => {
    const own = ['--queue-limit', '--spec-ngram-simple-min-match'];
    for (const part of lowerings(engine).flatMap(({ parts }) => parts)) {
      if (part.kind !== 'args' || engine.flags === null) continue;
      for (const { flag } of part.args.filter((a) => a.flag.startsWith('-') && !own.includes(a.flag))) {
        expect(findSpelling(engine.flags, flag).fact, flag).not.toBeNull();
      }
    }
  });

  it('emits only keys of the configuration file that its table knows', () => {
    const known = engine.flags?.flags.flatMap(({ name, aliases }) => [name, ...aliases]) ?? [];
    const blocks = ['engine.dynamic_batching', 'engine.static_batching'];
    for (const part of lowerings(engine).flatMap(({ parts }) => parts)) {
      if (part.kind !== 'config') continue;
      expect(engine.configFile, engine.id).toBeDefined();
      for (const path of Object.keys(part.entries)) {
        const isKnown = known.includes(path) || blocks.some((block) => path.startsWith(`${block}.`));
        expect(isKnown, path).toBe(true);
      }
    }
  });

  it('names a source with every default', () => {
    const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map((r) => r.id) : [null];
    for (const runtime of runtimes) {
      for (const [name, known] of Object.entries(engine.defaults({ runtime, modelMaxTokens: 2048 }))) {
        expect(SETTING_NAMES).toContain(name);
        expect(known.source.length).toBeGreaterThan(5);
        expect(known.value).not.toBeNull();
      }
    }
  });

  it('pins its image to a version, never to a moving tag', () => {
    for (const kind of ['cpu', 'gpu'] as const) {
      const image = engine.image({ hardware: { kind, id: 'H100-SXM' }, version: engine.versions.pinned });
      if (image === null) continue;
      expect(image).toContain(engine.versions.pinned);
      expect(image).not.toMatch(/latest/);
    }
  });
});

const TIER_ONE = ['vllm', 'sglang', 'tensorrt-llm', 'llama.cpp'];

describe('flag tables', () => {
  it('know each spelling once and mark what can do harm', () => {
    for (const { flags } of ENGINES) {
      if (flags === null) continue;
      const spellings = flags.flags.flatMap((f) => [f.name, ...f.aliases]);
      expect(new Set(spellings).size).toBe(spellings.length);
      expect(flags.flags.length).toBeGreaterThan(TIER_ONE.includes(flags.engine) ? 100 : 20);
      for (const { name, risk } of flags.flags.filter((flag) =>
        /^--(?:admin-)?api-keys?$|authtoken$/.test(flag.name),
      )) {
        expect(risk, name).toBe('secret');
      }
      expect(flags.removed.some((gone) => spellings.includes(gone.name))).toBe(false);
    }
  });

  it.each([
    ['vllm', '--trust-remote-code', 'code'],
    ['vllm', '--middleware', 'code'],
    ['vllm', '--tool-parser-plugin', 'code'],
    ['vllm', '--config', 'path'],
    ['llama.cpp', '--chat-template-file', 'code'],
    ['llama.cpp', '-m', 'path'],
    ['llama.cpp', '--rpc', 'network'],
    ['llama.cpp', '--hf-token', 'secret'],
    ['llama.cpp', '--threads', 'none'],
    ['tensorrt-llm', '--trust_remote_code', 'code'],
    ['tensorrt-llm', '--custom_module_dirs', 'code'],
    ['tensorrt-llm', '--extra_llm_api_options', 'path'],
    ['tensorrt-llm', 'speculative_config.speculative_model_dir', 'network'],
    ['tensorrt-llm', '--tensor_parallel_size', 'none'],
    ['tgi', '--trust-remote-code', 'code'],
    ['tgi', '--api-key', 'secret'],
    ['tgi', '--ngrok-authtoken', 'secret'],
    ['tgi', '--weights-cache-override', 'path'],
    ['onnxruntime-genai', '-o', 'path'],
    ['onnxruntime-genai', '--extra_options', 'code'],
  ])('%s %s is %s', (id, flag, risk) => {
    const table = ENGINES.find((engine) => engine.id === id)?.flags;
    expect(table && findFlag(table, flag)?.risk).toBe(risk);
  });
});

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

describe('versions', () => {
  it('compare within one numbering only', () => {
    expect(compareVersions('0.28.0', 'v0.29')).toBeLessThan(0);
    expect(compareVersions('b10573', 'b9999')).toBeGreaterThan(0);
    expect(compareVersions('0.28', '0.28.0')).toBe(0);
    expect(compareVersions('b10573', 'v0.4.0')).toBeNull();
    expect(compareVersions('main', '1.0')).toBeNull();
    expect(isAtLeast('0.30.1', '0.29')).toBe(true);
    expect(isAtLeast('main', '0.29')).toBe(false);
  });
});
