import { expect, it } from 'vitest';
import { layOutPositions } from '@/app/_builder/layout';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import { edge, node } from './fixtures';

it('puts every deployment of the examples in one last column', () => {
  for (const { id, pipeline } of EXAMPLES) {
    const places = layOutPositions(pipeline, {});
    const x = pipeline.nodes.filter((one) => one.type === 'deployment').map((one) => places[one.id]?.x);
    expect(new Set(x).size, id).toBe(1);
    expect(Math.max(...Object.values(places).map((place) => place.x)), id).toBe(x[0]);
  }
});

it('lays out a circle and an edge to nowhere without failing', () => {
  const pipeline = {
    version: 1 as const,
    nodes: [node('a', 'threads'), node('b', 'threads')],
    edges: [edge('a', 'b'), edge('b', 'a'), edge('a', 'ghost')],
  };
  expect(Object.keys(layOutPositions(pipeline, {}))).toEqual(['a', 'b']);
});
