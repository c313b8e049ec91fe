'use client';

import { useNodesInitialized } from '@xyflow/react';
import { useQueryState } from 'nuqs';
import { useEffect } from 'react';
import { useBuilder } from './builder-context';
import { revealNode } from './ui-store';

/** `?node=ID` selects and shows a node once the canvas is drawn: where a report or a failed trial points. */
export function useNodeLink(): void {
  const { ui } = useBuilder();
  const drawn = useNodesInitialized();
  const [nodeId, setNodeId] = useQueryState('node');
  useEffect(() => {
    if (!nodeId || !drawn) return;
    revealNode(ui, nodeId);
    void setNodeId(null);
  }, [nodeId, drawn, ui, setNodeId]);
}
