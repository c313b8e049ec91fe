import { describe, expect, it } from 'vitest';
import { FAMILY_TITLES, idleParamsOf, paletteGroups, partsOf } from '@/app/_builder/catalog';
import { nameOf, nodeRows, valueText } from '@/app/_builder/node-view';
import { NODE_TYPES } from '@/server/core/catalog';
import { node } from './fixtures';

describe('what a node shows', () => {
  it('has at most three lines, the ones that were set first', () => {
    for (const type of NODE_TYPES) expect(nodeRows(node('x', type.type)).length, type.type).toBeLessThanOrEqual(3);
    const rows = nodeRows(node('x', 'gguf-quantization', { params: { type: { $sweep: ['Q8_0', 'Q4_K_M'] } } }));
    expect(rows[0]).toEqual({ value: 'Q8_0 · Q4_K_M', label: 'type' });
  });

  it('names the source of own facts, not each of them', () => {
    const facts = { layers: 2, hidden: 64, heads: 4, vocab: 256, source: 'config.json' };
    const rows = nodeRows(node('x', 'model', { params: { model: 'me/mine', facts } }));
    expect(rows).toContainEqual({ value: 'config.json', label: 'own facts' });
  });

  it('takes its own name for a title where it has one', () => {
    expect(nameOf(node('x', 'deployment', { params: { name: 'Fast' } }))).toBe('Fast');
    expect(nameOf(node('x', 'deployment'))).toBe('Deployment');
    expect(nameOf(node('x', 'from-the-future', { params: { name: 'Fast' } }))).toBe('from-the-future');
  });

  it('shows the parameters of an unknown type as they are', () => {
    expect(nodeRows(node('x', 'from-the-future', { params: { warp: 9 } }))).toEqual([{ label: 'warp', value: '9' }]);
  });

  it('puts values into words', () => {
    expect([true, false, null, [1, 2], { $sweep: [] }, { a: 1 }].map(valueText)).toEqual([
      'on',
      'off',
      'not set',
      '1, 2',
      'empty sweep',
      '{"a":1}',
    ]);
  });
});

describe('parameters without effect', () => {
  const idle = (type: string, params: Record<string, unknown> = {}) => [...idleParamsOf({ id: 'n', type, params })];

  it('are those that mean nothing beside the others and that nobody set', () => {
    expect(idle('fp8')).toEqual(['tool', 'calibrationSamples', 'repo']);
    expect(idle('fp8', { source: 'recipe', scales: 'static' })).toEqual(['repo']);
    expect(idle('fp8', { tool: 'modelopt' })).not.toContain('tool');
    expect(idle('workload', { mode: { $sweep: ['poisson', 'closed'] } })).toEqual(['concurrency']);
    expect(idle('fp8', { source: 'thin air' })).toEqual([]);
    expect(idle('alien')).toEqual([]);
  });

  it('do not stand on the node', () => {
    const labels = nodeRows({ id: 'n', type: 'fp8', params: {} }).map((row) => row.label);
    expect(labels).toEqual(['scales', 'weights']);
  });
});

describe('the palette', () => {
  it('has long families in parts, and each type in one of them', () => {
    for (const { types } of paletteGroups()) {
      const parts = partsOf(types);
      expect(parts.flatMap((part) => part.types).sort()).toEqual([...types].sort());
      for (const part of parts) expect(part.types.length).toBeLessThanOrEqual(13);
    }
  });

  it('puts what a query names first', () => {
    expect(paletteGroups('autoscaling')[0]?.types[0]?.type).toBe('autoscaling');
    expect(paletteGroups('FP8')[0]?.types[0]?.type).toBe('fp8');
  });

  it('lists every node type once, in the families', () => {
    const types = paletteGroups().flatMap((group) => group.types.map((type) => type.type));
    expect([...types].sort()).toEqual(NODE_TYPES.map((type) => type.type).sort());
    expect(paletteGroups().every((group) => group.title === FAMILY_TITLES[group.family])).toBe(true);
  });

  it('finds by word, by family of settings, and nothing for nonsense', () => {
    const found = (query: string) => paletteGroups(query).flatMap((group) => group.types.map((type) => type.type));
    expect(found('gguf')).toContain('gguf-quantization');
    expect(found('kvCacheKeyType')).toEqual(['kv-cache-type']);
    expect(found('zebra')).toEqual([]);
  });
});
