'use client';

import { type ReactFlowInstance, useReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { useUi } from '../builder-context';
import { NODE_WIDTH } from '../layout';
import type { CanvasEdge, CanvasNode } from './canvas-nodes';

/** Brings a node to the middle where a problem or a search asked for it. */
export function useCentring() {
  const flow = useRef<ReactFlowInstance<CanvasNode, CanvasEdge> | null>(null);
  const live = useReactFlow<CanvasNode, CanvasEdge>();
  const wish = useUi((state) => state.centreOn);
  useEffect(() => {
    if (!wish) return;
    const node = live.getInternalNode(wish.nodeId);
    if (!node) return;
    const { x, y } = node.internals.positionAbsolute;
    void live.setCenter(x + NODE_WIDTH / 2, y + (node.measured.height ?? 0) / 2, {
      zoom: Math.max(live.getZoom(), 0.8),
      duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 140,
    });
  }, [wish, live]);
  const onInit = (instance: ReactFlowInstance<CanvasNode, CanvasEdge>) => {
    flow.current = instance;
  };
  return { flow, onInit };
}
