import { describe, expect, it } from 'vitest';
import { NODE_TYPES } from '@/server/core/catalog/index';
import { describeParams } from '@/server/core/catalog/param';
import { STAGES } from '@/server/core/pipeline/can-connect';
import { REQUEST_SETTINGS, settingSchemas } from '@/server/core/plan/settings';

describe.each(NODE_TYPES.map((t) => [t.type, t] as const))('node type %s', (_, nodeType) => {
  const defaults = nodeType.params.parse({});

  it('is complete with its defaults', () => {
    expect(Object.keys(defaults)).toEqual(Object.keys(nodeType.params.shape));
    expect(nodeType.title).not.toBe('');
    expect(STAGES).toContain(nodeType.stage);
  });

  it('asks for settings that it declares, with valid values, from its own parameters', () => {
    for (const [name, asked] of Object.entries(nodeType.apply(defaults))) {
      expect(nodeType.settings).toContain(name);
      expect(settingSchemas[name as keyof typeof settingSchemas].parse(asked?.value)).toEqual(asked?.value);
      expect(nodeType.params.shape).toHaveProperty(asked?.field ?? '');
    }
  });

  it('describes every parameter for form, docs and sweeps', () => {
    for (const p of describeParams(nodeType)) {
      expect(p.label).not.toBe('');
      expect(p.description).not.toBe('');
      expect(p.default).toEqual(defaults[p.name]);
      const schema = nodeType.params.shape[p.name];
      for (const value of p.sweep ?? []) expect(schema?.safeParse(value).success).toBe(true);
      for (const value of p.type === 'enum' ? (p.options ?? []) : [])
        expect(schema?.safeParse(value).success).toBe(true);
      expect(schema?.safeParse(null).success).toBe(p.nullable);
    }
  });

  it('has ports with names of their own', () => {
    for (const ports of [nodeType.inputs, nodeType.outputs]) {
      expect(new Set(ports.map((port) => port.id)).size).toBe(ports.length);
    }
  });
});

describe('the catalogue', () => {
  it('has unique types in kebab-case', () => {
    const types = NODE_TYPES.map((t) => t.type);
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) expect(type).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  });

  it('reads bounds, kinds and options from the schema', () => {
    const byName = (type: string, name: string) =>
      describeParams(NODE_TYPES.find((t) => t.type === type) as never).find((p) => p.name === name);
    expect(byName('parallel-sequences', 'sequences')).toMatchObject({
      type: 'integer',
      min: 1,
      max: 4096,
      default: 4,
      kind: 'launch',
      unit: 'sequences',
    });
    expect(byName('sampling', 'temperature')).toMatchObject({ kind: 'request', min: 0, max: 2, nullable: true });
    expect(byName('workload', 'concurrency')).toMatchObject({ kind: 'load', sweep: [1, 2, 4, 8, 16] });
    expect(byName('workload', 'inputTokens')).toMatchObject({ kind: 'load', sweep: null });
    expect(byName('gguf-quantization', 'type')?.options).toContain('Q2_K');
    expect(byName('deployment', 'primaryMetrics')).toMatchObject({ type: 'list' });
    expect(byName('context', 'tokensPerSequence')?.min).toBe(16);
  });

  it('takes request settings from request parameters only', () => {
    for (const nodeType of NODE_TYPES) {
      const kinds = new Map(describeParams(nodeType).map((p) => [p.name, p.kind]));
      const asked = nodeType.apply({ ...nodeType.params.parse({}), top_p: 1, top_k: 1, min_p: 0, beams: 1 });
      for (const [name, setting] of Object.entries(asked)) {
        const isRequest = (REQUEST_SETTINGS as readonly string[]).includes(name);
        expect(kinds.get(setting?.field ?? '')).toBe(isRequest ? 'request' : 'launch');
      }
    }
  });

  it('says which types need a weights or a serving input', () => {
    const inputs = (type: string) => NODE_TYPES.find((t) => t.type === type)?.inputs.map((p) => `${p.id}:${p.accepts}`);
    expect(inputs('gguf-quantization')).toEqual(['weights:weights']);
    expect(inputs('draft-speculation')).toEqual(['serving:weights,serving', 'draft:weights,serving']);
    expect(inputs('deployment')).toEqual([
      'serving:weights,serving',
      'engine:engine',
      'hardware:hardware',
      'gateway:gateway',
      'scaling:scaling',
    ]);
  });
});
