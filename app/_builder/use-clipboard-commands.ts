'use client';

import { useEffect, useMemo } from 'react';
import { toast } from 'sonner';
import { paste as pasteAction } from './actions/paste';
import { remove } from './actions/remove';
import { useBuilder } from './builder-context';
import { type Fragment, fragmentOf, fromClipboardText, toClipboardText } from './clipboard';
import { isTextField } from './is-text-field';

const OFFSET = { x: 32, y: 32 } as const;
type Builder = ReturnType<typeof useBuilder>;

const fragmentNow = ({ document, ui }: Builder): Fragment =>
  fragmentOf(document.store.getState().pipeline, ui.getState().selectedNodes);

function removeSelection({ document, ui }: Builder): void {
  document.dispatch(remove, { nodeIds: ui.getState().selectedNodes, edgeIds: [] });
  ui.setState({ selectedNodes: [], selectedEdges: [] });
}

/** Adds the fragment beside its origin and selects what was added. */
function addFragment({ document, ui }: Builder, fragment: Fragment): void {
  const before = new Set(document.store.getState().pipeline.nodes.map((node) => node.id));
  document.dispatch(pasteAction, { ...fragment, offset: OFFSET });
  const added = document.store.getState().pipeline.nodes.filter((node) => !before.has(node.id));
  ui.setState({ selectedNodes: added.map((node) => node.id), selectedEdges: [] });
}

export interface ClipboardCommands {
  copy(): void;
  cut(): void;
  paste(): void;
  duplicate(): void;
}

/** From the command palette: through the asynchronous clipboard, which may be refused. */
function asyncCommands(builder: Builder): ClipboardCommands {
  const refused = () => toast.error('The browser refused access to the clipboard. Use Ctrl C, X or V on the canvas.');
  const write = () => navigator.clipboard.writeText(toClipboardText(fragmentNow(builder)));
  return {
    copy: () => void write().catch(refused),
    cut: () => void write().then(() => removeSelection(builder), refused),
    paste: () =>
      void navigator.clipboard.readText().then((text) => {
        const fragment = fromClipboardText(text);
        if (fragment) addFragment(builder, fragment);
        else toast.error('The clipboard holds no nodes.');
      }, refused),
    duplicate: () => addFragment(builder, fragmentNow(builder)),
  };
}

/** Copy, cut and paste of nodes as JSON text; text fields and selected text keep their own. */
export function useClipboardCommands(): ClipboardCommands {
  const builder = useBuilder();
  useEffect(() => {
    const concerns = (event: ClipboardEvent) =>
      !isTextField(event.target) &&
      window.document.querySelector('.react-flow') !== null &&
      window.document.querySelector('[role=dialog]') === null;
    const put = (event: ClipboardEvent): boolean => {
      const hasText = (window.getSelection()?.toString() ?? '') !== '';
      if (!concerns(event) || hasText || builder.ui.getState().selectedNodes.length === 0) return false;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', toClipboardText(fragmentNow(builder)));
      return true;
    };
    const onCopy = (event: ClipboardEvent) => void put(event);
    const onCut = (event: ClipboardEvent) => {
      if (put(event)) removeSelection(builder);
    };
    const onPaste = (event: ClipboardEvent) => {
      const fragment = concerns(event) ? fromClipboardText(event.clipboardData?.getData('text/plain') ?? '') : null;
      if (!fragment) return;
      event.preventDefault();
      addFragment(builder, fragment);
    };
    window.addEventListener('copy', onCopy);
    window.addEventListener('cut', onCut);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('copy', onCopy);
      window.removeEventListener('cut', onCut);
      window.removeEventListener('paste', onPaste);
    };
  }, [builder]);
  return useMemo(() => asyncCommands(builder), [builder]);
}
