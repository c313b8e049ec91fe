'use client';

import { applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { move, type Positions } from '../actions/move';
import { useBuilder, useDocument, useUi } from '../builder-context';
import { type CanvasEdge, type CanvasNode, canvasEdges, canvasNodes } from './canvas-nodes';

/** Places that a finished drag or an arrow key gives; a drag under way stays on the canvas. */
const finishedMoves = (changes: readonly NodeChange<CanvasNode>[]): Positions =>
  Object.fromEntries(
    changes.flatMap((change) =>
      change.type === 'position' && change.position && change.dragging === false ? [[change.id, change.position]] : [],
    ),
  );

/** Adds and takes away what the changes select; the same array where nothing changes. */
function reselect(
  selected: readonly string[],
  changes: readonly (NodeChange<CanvasNode> | EdgeChange<CanvasEdge>)[],
): readonly string[] {
  const next = new Set(selected);
  for (const change of changes) {
    if (change.type !== 'select') continue;
    if (change.selected) next.add(change.id);
    else next.delete(change.id);
  }
  const same = next.size === selected.length && selected.every((id) => next.has(id));
  return same ? selected : [...next];
}

/** Nodes and edges of the document as React Flow wants them, and what it reports back. */
export function useCanvasGraph() {
  const { document, ui } = useBuilder();
  const pipeline = useDocument((state) => state.pipeline);
  const selectedNodes = useUi((state) => state.selectedNodes);
  const selectedEdges = useUi((state) => state.selectedEdges);
  const [nodes, setNodes] = useState<CanvasNode[]>(() => canvasNodes(pipeline, selectedNodes, []));
  useEffect(() => {
    setNodes((previous) => canvasNodes(pipeline, selectedNodes, previous));
  }, [pipeline, selectedNodes]);
  const edges = useMemo(() => canvasEdges(pipeline, selectedEdges), [pipeline, selectedEdges]);

  const onNodesChange = (changes: NodeChange<CanvasNode>[]) => {
    setNodes((previous) => applyNodeChanges(changes, previous));
    const next = reselect(ui.getState().selectedNodes, changes);
    if (next !== ui.getState().selectedNodes) ui.setState({ selectedNodes: next });
    document.dispatch(move, finishedMoves(changes));
  };
  const onEdgesChange = (changes: EdgeChange<CanvasEdge>[]) => {
    const next = reselect(ui.getState().selectedEdges, changes);
    if (next !== ui.getState().selectedEdges) ui.setState({ selectedEdges: next });
  };
  return { nodes, edges, onNodesChange, onEdgesChange };
}
