'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { useEffect } from 'react';
import { useBuilder, useDocument, useUi } from './builder-context';
import { revealNode } from './ui-store';

/** The frame in which the canvas has measured its nodes, so that one can be centred. */
const AFTER_DRAWING_MS = 300;

const CONTROLS = 'input, select, textarea, [role=switch]';

function focusField(field: string): void {
  const box = document.querySelector(`[data-field="${CSS.escape(field)}"]`);
  box?.querySelector<HTMLElement>(CONTROLS)?.focus();
}

/**
 * `?node=ID&field=NAME` selects and centres that node and puts the focus into that field: where an experiment's page
 * sends a reader whose launch failed. It is spent once, so that going on editing does not jump back.
 */
export function useDeepLink(): void {
  const { ui } = useBuilder();
  const [link, setLink] = useQueryStates({ node: parseAsString, field: parseAsString });
  const known = useDocument((state) => state.pipeline.nodes.some((node) => node.id === link.node));
  const compiled = useUi((state) => state.compiled !== null);
  const { node, field } = link;
  useEffect(() => {
    if (node === null || !known || !compiled) return;
    const timer = setTimeout(() => {
      revealNode(ui, node);
      void setLink(null);
      // The inspector draws the field after the selection.
      if (field) setTimeout(() => focusField(field), AFTER_DRAWING_MS);
    }, AFTER_DRAWING_MS);
    return () => clearTimeout(timer);
  }, [node, field, known, compiled, ui, setLink]);
}
