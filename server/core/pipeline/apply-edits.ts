import type { Edit } from '../plan/finding';
import type { Pipeline, PipelineNode } from './document';
import { sameEdge } from './edges';

function mapNode(pipeline: Pipeline, id: string, change: (node: PipelineNode) => PipelineNode): Pipeline {
  if (!pipeline.nodes.some((node) => node.id === id)) return pipeline;
  return { ...pipeline, nodes: pipeline.nodes.map((node) => (node.id === id ? change(node) : node)) };
}

function removeNode(pipeline: Pipeline, id: string): Pipeline {
  return {
    ...pipeline,
    nodes: pipeline.nodes.filter((node) => node.id !== id),
    edges: pipeline.edges.filter((edge) => edge.from.node !== id && edge.to.node !== id),
  };
}

/** Undefined takes the parameter out, so that its default holds. Own property also where the name is `__proto__`. */
function withParam(node: PipelineNode, field: string, value: unknown): PipelineNode {
  const others = Object.entries(node.params).filter(([name]) => name !== field);
  return { ...node, params: Object.fromEntries(value === undefined ? others : [...others, [field, value]]) };
}

function applyEdit(pipeline: Pipeline, edit: Edit): Pipeline {
  switch (edit.op) {
    case 'set-param':
      return mapNode(pipeline, edit.nodeId, (node) => withParam(node, edit.field, edit.value));
    case 'set-bypass':
      return mapNode(pipeline, edit.nodeId, (node) => ({ ...node, bypassed: edit.bypassed }));
    case 'add-node':
      if (pipeline.nodes.some((node) => node.id === edit.node.id)) return pipeline;
      return { ...pipeline, nodes: [...pipeline.nodes, edit.node] };
    case 'remove-node':
      return removeNode(pipeline, edit.nodeId);
    case 'add-edge':
      if (pipeline.edges.some((edge) => sameEdge(edge, edit.edge))) return pipeline;
      return { ...pipeline, edges: [...pipeline.edges, edit.edge] };
    case 'remove-edge':
      return { ...pipeline, edges: pipeline.edges.filter((edge) => !sameEdge(edge, edit.edge)) };
  }
}

/** The pipeline after the edits, in their order. An edit that names a node or edge that is gone changes nothing. */
export const applyEdits = (pipeline: Pipeline, edits: readonly Edit[]): Pipeline => edits.reduce(applyEdit, pipeline);
