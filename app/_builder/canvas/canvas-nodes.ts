import type { Edge, Node } from '@xyflow/react';
import type { Pipeline, PipelineNode } from '@/server/core/pipeline/document';
import { familyColor, nodeTypeOf, titleOf } from '../catalog';
import { edgeId, placeOf } from '../graph';
import { NODE_WIDTH } from '../layout';
import { nameOf } from '../node-view';

export type CanvasNode = Node<{ node: PipelineNode }, 'builder'>;
export type CanvasEdge = Edge<Record<string, never>, 'default'>;

/**
 * Nodes as the canvas draws them. Objects of `previous` are kept where nothing changed, with what the canvas measured,
 * so that only changed nodes render again.
 */
export function canvasNodes(
  pipeline: Pipeline,
  selected: readonly string[],
  previous: readonly CanvasNode[],
): CanvasNode[] {
  const before = new Map(previous.map((node) => [node.id, node]));
  const chosen = new Set(selected);
  return pipeline.nodes.map((node, index) => {
    const old = before.get(node.id);
    const position = placeOf(node, index);
    const isSelected = chosen.has(node.id);
    const same =
      old?.data.node === node &&
      old.selected === isSelected &&
      old.position.x === position.x &&
      old.position.y === position.y;
    if (old && same) return old;
    return {
      ...old,
      id: node.id,
      type: 'builder',
      width: NODE_WIDTH,
      position,
      selected: isSelected,
      ariaLabel: `${nameOf(node)}, ${titleOf(node)}${node.bypassed ? ', bypassed' : ''}`,
      data: { node },
    };
  });
}

/** Edges in the colour of the family that they come from; dashed out of a bypassed node. */
export function canvasEdges(pipeline: Pipeline, selected: readonly string[]): CanvasEdge[] {
  const chosen = new Set(selected);
  const byId = new Map(pipeline.nodes.map((node) => [node.id, node]));
  return pipeline.edges.map((edge) => {
    const id = edgeId(edge);
    const source = byId.get(edge.from.node);
    const target = byId.get(edge.to.node);
    const idle = source?.bypassed === true || target?.bypassed === true;
    const isSelected = chosen.has(id);
    const color = familyColor(source ? (nodeTypeOf(source.type)?.family ?? null) : null);
    return {
      id,
      source: edge.from.node,
      sourceHandle: edge.from.port,
      target: edge.to.node,
      targetHandle: edge.to.port,
      selected: isSelected,
      ariaLabel: `${source ? nameOf(source) : edge.from.node} to ${target ? nameOf(target) : edge.to.node}`,
      style: {
        stroke: isSelected ? 'var(--accent)' : `color-mix(in srgb, ${color} 55%, var(--line-strong))`,
        strokeWidth: isSelected ? 2 : 1.25,
        strokeDasharray: idle ? '4 4' : undefined,
        opacity: idle ? 0.5 : 1,
      },
    };
  });
}
