import { describe, expect, it } from 'vitest';
import { paste } from '@/app/_builder/actions/paste';
import { fragmentOfImport, importLines, offsetOfImport } from '@/app/_builder/import-text';
import { importText } from '@/server/core/importers/import-text';
import type { Pipeline } from '@/server/core/pipeline/document';
import { planOf } from '@/test/fixtures/pipelines';

const EMPTY: Pipeline = { version: 1, nodes: [], edges: [] };
const imported = importText('vllm serve Qwen/Qwen3-8B --max-num-seqs 8 --seed 7 --max-model-len auto');

const pasted = (pipeline: Pipeline): Pipeline =>
  paste.apply(pipeline, { ...fragmentOfImport(pipeline, imported), offset: offsetOfImport(pipeline) });

describe('an import on the canvas', () => {
  it('is a pipeline that compiles', () => {
    expect(planOf(pasted(EMPTY), 'deployment').argv?.join(' ')).toMatch(/^vllm serve Qwen\/Qwen3-8B .*--seed 7$/);
  });

  it('comes below what is there and brings no second workload', () => {
    const twice = pasted(pasted(EMPTY));
    expect(twice.nodes.filter((node) => node.type === 'workload')).toHaveLength(1);
    expect(twice.nodes.filter((node) => node.type === 'deployment')).toHaveLength(2);
    const places = twice.nodes.map((node) => JSON.stringify(node.position));
    expect(new Set(places).size).toBe(places.length);
    expect(twice.edges.every(({ from }) => twice.nodes.some((node) => node.id === from.node))).toBe(true);
  });

  it('says what is kept raw, what is not kept and what was assumed', () => {
    const lines = importLines(imported);
    expect(lines[0]).toBe('Kept as arguments of the engine: --seed 7');
    expect(lines[1]).toBe('Not kept: --max-model-len auto');
    expect(lines.join('\n')).toContain('does not say which device');
  });
});
