import { describe, expect, it } from 'vitest';
import type { Engine, Lowered } from '@/server/core/engines/engine';
import { findFlag } from '@/server/core/engines/flag';
import { ENGINES } from '@/server/core/engines/index';
import { compareVersions, isAtLeast } from '@/server/core/engines/version';
import { SETTING_NAMES, type SettingName, settingSchemas } from '@/server/core/plan/settings';
import { checkpoint, loweringContext } from '@/test/fixtures/lowering-context';

const SAMPLES: Partial<Record<SettingName, unknown[]>> = {
  weightsFormat: ['gguf:Q4_K_M', 'safetensors:bfloat16'],
  apiKeySecret: ['INFERLOOM_SECRET_API_KEY'],
  memoryFraction: [0.5],
  topP: [0.5],
  minP: [0.5],
};
const samplesOf = (name: SettingName): unknown[] => {
  const schema = settingSchemas[name];
  return SAMPLES[name] ?? ('options' in schema ? [...schema.options] : [1, 4]);
};

/** Every (setting, value, runtime, device, speculation) that the engine can be asked to lower. */
function lowerings(engine: Engine): { name: SettingName; value: unknown; lowered: Lowered; runtime: string | null }[] {
  const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map((r) => r.id) : [null];
  const devices = [
    { kind: 'cpu' as const, id: 'cpu-local', count: 4 },
    { kind: 'gpu' as const, id: 'H100-SXM', count: 4 },
  ];
  return runtimes.flatMap((runtime) =>
    devices.flatMap((hardware) =>
      (['off', 'draft-model', 'prompt-lookup'] as const).flatMap((speculation) =>
        SETTING_NAMES.flatMap((name) =>
          samplesOf(name).map((value) => {
            const values = { speculation, draftTokens: 3, [name]: value };
            const version = engine.versions.pinned;
            const checkpoints = [checkpoint(), checkpoint({ scope: 'draft', format: 'safetensors:bfloat16' })];
            const context = loweringContext({ runtime, version, values, hardware, checkpoints });
            const lowering = engine.lowering[name];
            const lowered: Lowered =
              typeof lowering === 'function'
                ? (lowering as (v: unknown, c: typeof context, s: 'target') => Lowered)(value, context, 'target')
                : { kind: 'unsupported', reason: lowering.unsupported, source: lowering.source };
            return { name, value, lowered, runtime };
          }),
        ),
      ),
    ),
  );
}

describe.each(ENGINES.map((engine) => [engine.id, engine] as const))('%s', (_, engine) => {
  it('gives a reason and a source with every refusal', () => {
    for (const { name, lowered } of lowerings(engine)) {
      if (lowered.kind !== 'unsupported') continue;
      expect(lowered.reason.length, name).toBeGreaterThan(15);
      expect(lowered.source.length, name).toBeGreaterThan(5);
    }
  });

  it('says nothing only where the value is the default', () => {
    for (const { name, value, lowered, runtime } of lowerings(engine)) {
      if (lowered.kind !== 'args' || lowered.args.length > 0) continue;
      const known = engine.defaults({ runtime, modelMaxTokens: null })[name];
      expect(known?.value, `${name} ${String(value)}`).toEqual(value);
    }
  });

  it('emits only flags that its table knows', () => {
    const own = ['--queue-limit', '--spec-ngram-simple-min-match'];
    for (const { lowered } of lowerings(engine)) {
      if (lowered.kind !== 'args' || engine.flags === null) continue;
      for (const { flag } of lowered.args.filter((a) => a.flag.startsWith('-') && !own.includes(a.flag))) {
        expect(findFlag(engine.flags, flag), flag).not.toBeNull();
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

describe('flag tables', () => {
  it('know each spelling once and mark what can do harm', () => {
    for (const { flags } of ENGINES) {
      if (flags === null) continue;
      const spellings = flags.flags.flatMap((f) => [f.name, ...f.aliases]);
      expect(new Set(spellings).size).toBe(spellings.length);
      expect(flags.flags.length).toBeGreaterThan(100);
      expect(findFlag(flags, '--api-key=secret')?.risk).toBe('secret');
      expect(flags.removed.length).toBeGreaterThan(2);
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
