'use client';

import { Background, BackgroundVariant, MiniMap, type NodeTypes, Panel, ReactFlow, SelectionMode } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import './canvas.css';
import type { DragEvent, MouseEvent } from 'react';
import { useBuilder } from '../builder-context';
import { familyColor, nodeTypeOf } from '../catalog';
import { addNewNode } from '../new-node';
import { DRAG_TYPE } from '../palette/drag-type';
import { BuilderNode } from './builder-node';
import { CanvasControls } from './canvas-controls';
import type { CanvasNode } from './canvas-nodes';
import { ConnectHint } from './connect-hint';
import { PlanChips } from './plan-chips';
import { useCanvasGraph } from './use-canvas-graph';
import { useCentring } from './use-centring';
import { useConnecting } from './use-connecting';

const NODE_TYPES: NodeTypes = { builder: BuilderNode };
const SNAP: [number, number] = [8, 8];

const minimapColor = (node: CanvasNode): string => familyColor(nodeTypeOf(node.data.node.type)?.family ?? null);

/** The graph. It draws the document and sends edits to it; it keeps only what a drag needs between two edits. */
export function Canvas() {
  const builder = useBuilder();
  const graph = useCanvasGraph();
  const connecting = useConnecting();
  const { flow, onInit } = useCentring();

  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(DRAG_TYPE);
    if (!type || !flow.current) return;
    event.preventDefault();
    const at = flow.current.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: true });
    addNewNode(builder, { type, at, from: null });
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains('react-flow__pane')) return;
    const at = flow.current?.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: true });
    if (at) builder.ui.setState({ search: { at, from: null } });
  };
  return (
    <ReactFlow
      {...graph}
      {...connecting}
      onInit={onInit}
      nodeTypes={NODE_TYPES}
      onDrop={onDrop}
      onDragOver={(event) => event.preventDefault()}
      onDoubleClick={onDoubleClick}
      zoomOnDoubleClick={false}
      deleteKeyCode={null}
      multiSelectionKeyCode={['Shift', 'Control', 'Meta']}
      selectionMode={SelectionMode.Partial}
      snapToGrid
      snapGrid={SNAP}
      minZoom={0.15}
      maxZoom={2}
      fitView
      fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
      connectionRadius={28}
      nodeDragThreshold={2}
      elevateEdgesOnSelect
      ariaLabelConfig={{
        'node.a11yDescription.default':
          'Press Enter or Space to select the node. Arrow keys move it, Delete removes it.',
      }}
      aria-label="Pipeline graph"
    >
      <Background variant={BackgroundVariant.Dots} gap={16} size={1} color="var(--line-strong)" bgColor="var(--bg)" />
      <MiniMap
        ariaLabel="Overview of the graph"
        pannable
        zoomable
        nodeColor={minimapColor}
        nodeStrokeWidth={0}
        nodeBorderRadius={4}
        bgColor="var(--panel)"
        maskColor="color-mix(in srgb, var(--bg) 70%, transparent)"
        className="hidden! overflow-hidden rounded-md border border-line-strong md:block!"
        style={{ width: 132, height: 76 }}
      />
      <CanvasControls />
      <Panel position="top-right">
        <PlanChips />
      </Panel>
      <Panel position="top-center">
        <ConnectHint />
      </Panel>
    </ReactFlow>
  );
}
