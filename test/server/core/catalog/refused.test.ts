import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { FAMILIES } from '@/server/core/catalog/node-type';
import { REFUSED_TECHNIQUES, refusalSentence } from '@/server/core/catalog/refused-techniques';
import { findNodeTypes, findRefused } from '@/server/core/catalog/search-catalog';

const types = (query: string) => findNodeTypes(query).map((type) => type.type);
const refused = (query: string) => findRefused(query).map((technique) => technique.id);

describe('techniques without a node', () => {
  it('have unique ids that no node type has, a reason, sources and nodes that exist', () => {
    const ids = REFUSED_TECHNIQUES.map((technique) => technique.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const technique of REFUSED_TECHNIQUES) {
      expect(findNodeType(technique.id)).toBeNull();
      expect(FAMILIES).toContain(technique.family);
      expect(technique.reason).toMatch(/^\S.{20,}[^.]$/);
      expect(technique.sources.length).toBeGreaterThan(0);
      for (const url of technique.sources) expect(new URL(url).protocol).toBe('https:');
      expect(technique.instead.length).toBeGreaterThan(0);
      for (const type of technique.instead) expect(findNodeType(type), `${technique.id}: ${type}`).not.toBeNull();
    }
  });

  it.each([
    ['H2O', 'h2o'],
    ['h2o', 'h2o'],
    ['SnapKV', 'snapkv'],
    ['jacobi', 'lookahead-decoding'],
    ['MQA', 'grouped-query-attention'],
    ['PagedAttention', 'paged-attention'],
    ['nsys', 'nsight-systems'],
    ['FlashAttention 1', 'flash-attention-1'],
  ])('%s is found as %s', (query, id) => {
    expect(refused(query)[0]).toBe(id);
  });

  it('say why in one sentence', () => {
    const h2o = REFUSED_TECHNIQUES.find((technique) => technique.id === 'h2o');
    expect(h2o && refusalSentence(h2o)).toMatch(/^H2O \(heavy-hitter eviction\): no engine offers it, because .*\.$/);
  });
});

describe('search', () => {
  it('finds by other names, options and settings, however they are spelt', () => {
    expect(types('SmoothQuant')[0]).toBe('int8-w8a8');
    expect(types('flash infer')).toContain('attention-backend');
    expect(types('flash_attention_3')[0]).toBe('attention-backend');
    expect(types('FlashAttention-2')[0]).toBe('attention-backend');
    expect(types('EAGLE3')[0]).toBe('eagle-3');
    expect(types('max-num-seqs')[0]).toBe('parallel-sequences');
    expect(types('nf4')[0]).toBe('bitsandbytes-nf4');
    expect(types('IQ2_XXS')).toEqual(['gguf-quantization']);
    expect(types('loraMaxRank')).toEqual(['lora-adapter']);
    expect(types('zebra')).toEqual([]);
    expect(refused('zebra')).toEqual([]);
    expect(refused('  ')).toEqual([]);
  });

  it('puts a type of that very name first', () => {
    for (const name of ['AWQ INT4', 'fp8', 'replicas', 'eagle', 'medusa', 'mtp']) {
      expect([findNodeTypes(name)[0]?.type, findNodeTypes(name)[0]?.title]).toContain(name);
    }
  });
});
