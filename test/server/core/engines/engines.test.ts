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

/** Whether a release is not after another; `1.2` stands for all of 1.2. */
function isWithin(version: string, until: string): boolean {
  const places = until.split('.').length;
  const cut = version.replace(/^v/, '').split('.').slice(0, places).join('.');
  return (compareVersions(cut, until) ?? 0) <= 0;
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

  it('emits only flags and keys of its release', () => {
    const facts = engine.flags?.flags ?? [];
    const names = lowerings(engine).flatMap(({ parts }) =>
      parts.flatMap((part) => {
        if (part.kind === 'args') return part.args.map(({ flag }) => flag);
        return part.kind === 'config' ? Object.keys(part.entries) : [];
      }),
    );
    const { pinned } = engine.versions;
    for (const name of new Set(names)) {
      const fact = facts.find((flag) => flag.name === name || flag.aliases.includes(name));
      if (fact?.since)
        expect(compareVersions(pinned, fact.since) ?? 0, `${name} since ${fact.since}`).toBeGreaterThanOrEqual(0);
      if (fact?.until) expect(isWithin(pinned, fact.until), `${name} until ${fact.until}`).toBe(true);
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
