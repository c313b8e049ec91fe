import { describe, expect, it } from 'vitest';
import { differences } from '@/app/_compare/differences';
import { type Plan, planSchema } from '@/server/core/plan/plan';

const plan = (label: string, format: string, settings: Plan['settings']): Plan =>
  planSchema.parse({
    deployment: label,
    deploymentNodeId: null,
    isBaseline: label === 'F16',
    label,
    planHash: label,
    launchHash: label,
    components: [
      {
        name: 'engine',
        role: 'engine',
        engine: 'llama.cpp',
        runtime: 'embedded',
        engineVersion: 'b1',
        image: null,
        hardware: { id: 'cpu', kind: 'cpu', count: 1 },
        replicas: 1,
        argv: [],
        args: [],
        env: {},
        files: [],
      },
    ],
    checkpoints: [
      {
        scope: 'target',
        model: 'demo',
        repo: 'bundled:demo',
        revision: null,
        format,
        source: 'checkpoint',
        recipe: null,
        fileName: 'demo.gguf',
        nodeId: null,
      },
    ],
    request: { temperature: 0 },
    settings,
    pricePerHourUsd: null,
    loss: 'none',
    nodeIds: [],
  });

const setting = (asked: unknown, byDefault: unknown): Plan['settings'][string] => ({
  asked,
  default: byDefault,
  defaultSource: null,
  origin: 'default',
  field: null,
});

const rows = differences([
  plan('F16', 'gguf:F16', {
    flashAttention: setting(null, 'off'),
    weightsFormat: setting('gguf:F16', null),
    threads: setting(1, 4),
  }),
  plan('Q8_0', 'gguf:Q8_0', {
    flashAttention: setting('on', 'off'),
    weightsFormat: setting('gguf:Q8_0', null),
    threads: setting(1, 4),
  }),
]);
const find = (name: string) => rows.find((row) => row.name === name);

describe('plans side by side', () => {
  it('differ in the settings and weights that differ, and only there', () => {
    expect(rows.filter((row) => row.differs).map((row) => row.name)).toEqual(['flashAttention', 'weightsFormat']);
    expect(find('engine')?.values).toEqual(['llama.cpp b1 embedded', 'llama.cpp b1 embedded']);
    expect(find('temperature')?.values).toEqual([0, 0]);
  });

  it('show the engine default where nobody asked, and say so', () => {
    expect(find('flashAttention')).toMatchObject({ values: ['off', 'on'], isDefault: [true, false] });
  });
});
