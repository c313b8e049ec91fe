'use client';

import { useNodesInitialized } from '@xyflow/react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useEffect } from 'react';
import { useBuilder } from './builder-context';
import { revealNode } from './ui-store';

/** `?node=ID&field=NAME` selects and shows a node once the canvas is drawn: where a report or a failed trial points. */
export function useNodeLink(): void {
  const { ui } = useBuilder();
  const drawn = useNodesInitialized();
  const [{ node, field }, setLink] = useQueryStates({ node: parseAsString, field: parseAsString });
  useEffect(() => {
    if (!node || !drawn) return;
    revealNode(ui, node, field);
    void setLink({ node: null, field: null });
  }, [node, field, drawn, ui, setLink]);
}
