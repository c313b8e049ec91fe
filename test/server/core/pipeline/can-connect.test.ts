import { describe, expect, it } from 'vitest';
import { canConnect } from '@/server/core/pipeline/can-connect';
import { edge, node, serving } from '@/test/fixtures/pipelines';

const graph = serving(
  [
    node('dep', 'deployment'),
    node('fa', 'flash-attention'),
    node('kv', 'kv-cache-type'),
    node('spec', 'draft-speculation'),
    node('tp', 'tensor-parallel'),
    node('x', 'alien'),
  ],
  ['fa.serving > kv.serving', 'model.weights > fa.serving'],
);

describe('canConnect', () => {
  it.each([
    'model.weights > dep.serving',
    'model.weights > spec.draft',
    // The draft has a chain of its own: its stages start anew.
    'tp.serving > spec.draft',
    'kv.serving > spec.serving',
    'fa.serving > spec.serving',
    'kv.serving > dep.serving',
    'x.anything > dep.serving',
  ])('%s: yes', (text) => {
    expect(canConnect(graph, edge(text))).toEqual({ ok: true });
  });

  it.each([
    ['engine.engine > dep.hardware', '"Hardware" takes hardware, not engine.'],
    ['engine.engine > spec.draft', '"Draft weights" takes weights or serving, not engine.'],
    ['tp.serving > spec.serving', 'Speculation, draft model (decoding) comes before Tensor parallelism (serving).'],
    ['spec.serving > fa.serving', 'Flash attention (attention) comes before Speculation, draft model (decoding).'],
    ['model.weights > fa.weights', 'Flash attention has no input "weights".'],
    ['model.serving > fa.serving', 'Model has no output "serving".'],
    ['fa.serving > kv.serving', 'They are connected already.'],
    ['kv.serving > kv.serving', 'That would close a circle.'],
    ['gone.serving > kv.serving', 'The node is gone.'],
  ])('%s: %s', (text, reason) => {
    expect(canConnect(graph, edge(text))).toEqual({ ok: false, reason });
  });

  it('refuses to close a circle within a stage', () => {
    const chain = serving([node('a', 'kv-cache-type'), node('b', 'prefix-caching')], ['a.serving > b.serving']);
    expect(canConnect(chain, edge('b.serving > a.serving'))).toEqual({
      ok: false,
      reason: 'That would close a circle.',
    });
  });
});
