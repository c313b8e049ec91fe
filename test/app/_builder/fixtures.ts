import type { Pipeline, PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';

export const node = (id: string, type: string, more: Partial<PipelineNode> = {}): PipelineNode => ({
  id,
  type,
  params: {},
  position: { x: 0, y: 0 },
  ...more,
});
export const edge = (from: string, to: string, port = 'serving', out = 'weights'): PipelineEdge => ({
  from: { node: from, port: out },
  to: { node: to, port },
});

/** Model → quantization → deployment, with engine and hardware, and a node of a type that nobody knows. */
export const small = (): Pipeline => ({
  version: 1,
  nodes: [
    node('model', 'model', { params: { model: 'inferloom-demo' } }),
    node('quant', 'gguf-quantization', { params: { type: 'Q8_0' }, position: { x: 200, y: 0 } }),
    node('engine', 'engine', { position: { x: 200, y: 100 } }),
    node('hardware', 'hardware', { position: { x: 200, y: 200 } }),
    node('dep', 'deployment', { params: { baseline: true }, position: { x: 400, y: 0 } }),
    node('alien', 'from-the-future', { params: { warp: 9 }, note: 'kept' }),
  ],
  edges: [
    edge('model', 'quant', 'weights'),
    edge('quant', 'dep'),
    edge('engine', 'dep', 'engine', 'engine'),
    edge('hardware', 'dep', 'hardware', 'hardware'),
  ],
});
