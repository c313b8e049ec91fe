'use client';

import { useEffect, useMemo } from 'react';
import { toast } from 'sonner';
import { paste as pasteAction } from './actions/paste';
import { remove } from './actions/remove';
import { useBuilder } from './builder-context';
import { type Fragment, fragmentOf, fromClipboardText, toClipboardText } from './clipboard';
import { fragmentOfImport, importLines, offsetOfImport } from './import-text';
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
function addFragment({ document, ui }: Builder, fragment: Fragment, offset: { x: number; y: number } = OFFSET): void {
  const before = new Set(document.store.getState().pipeline.nodes.map((node) => node.id));
  document.dispatch(pasteAction, { ...fragment, offset });
  const added = document.store.getState().pipeline.nodes.filter((node) => !before.has(node.id));
  ui.setState({ selectedNodes: added.map((node) => node.id), selectedEdges: [] });
}

/** Long enough to read what an import could not place. */
const IMPORT_TOAST_MS = 20_000;

/** Nodes as JSON, or a command line or manifest of an engine, which the importers read. One step of undo. */
async function pasteText(builder: Builder, text: string): Promise<void> {
  const fragment = fromClipboardText(text);
  if (fragment) {
    addFragment(builder, fragment);
    return;
  }
  // Loaded with the first such paste: the flag tables of the engines are large.
  const { importText } = await import('@/server/core/importers/import-text');
  const imported = importText(text);
  if (imported.pipeline.nodes.length === 0) {
    toast.error('The clipboard holds no nodes, command line, manifest or Python call.', {
      description: imported.findings.find((f) => f.severity === 'error')?.message,
      descriptionClassName: '[overflow-wrap:anywhere]',
    });
    return;
  }
  const { pipeline } = builder.document.store.getState();
  addFragment(builder, fragmentOfImport(pipeline, imported), offsetOfImport(pipeline));
  const lines = importLines(imported);
  const description = lines.length === 0 ? 'Every argument has its node.' : lines.join('\n');
  toast.success('Imported. Undo takes it back.', {
    description,
    // Flags have no blanks to break at; a long list scrolls inside the message.
    descriptionClassName: 'max-h-[50vh] overflow-y-auto whitespace-pre-line [overflow-wrap:anywhere]',
    duration: IMPORT_TOAST_MS,
    closeButton: true,
  });
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
    paste: () => void navigator.clipboard.readText().then((text) => pasteText(builder, text), refused),
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
      const text = concerns(event) ? (event.clipboardData?.getData('text/plain') ?? '') : '';
      if (text.trim() === '') return;
      event.preventDefault();
      void pasteText(builder, text);
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
