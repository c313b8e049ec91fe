import type { PipelineEdge } from '@/server/core/pipeline/document';
import { edgeId } from '../graph';
import type { BuilderAction } from './action';

/** Adds an edge that `canConnect` has allowed. */
export const connect: BuilderAction<PipelineEdge> = {
  id: 'connect',
  label: 'Connect',
  shortcut: null,
  coalesceKey: null,
  apply(pipeline, edge) {
    const id = edgeId(edge);
    if (pipeline.edges.some((other) => edgeId(other) === id)) return pipeline;
    return { ...pipeline, edges: [...pipeline.edges, edge] };
  },
};
