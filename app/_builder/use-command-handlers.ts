'use client';

import { useReactFlow } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { layOut } from './actions/lay-out';
import { remove } from './actions/remove';
import { toggleBypass } from './actions/toggle-bypass';
import { useBuilder } from './builder-context';
import type { CommandId } from './commands';
import type { Commands } from './commands-context';
import { NODE_WIDTH } from './layout';
import { addNewNode, freePlace } from './new-node';
import { PALETTE_SEARCH_ID } from './palette/palette';
import type { BuilderDialog } from './ui-store';
import { type ClipboardCommands, useClipboardCommands } from './use-clipboard-commands';

/** What only the page can do. */
export interface PageCommands {
  run(): void;
  saveVersion(): void;
  showGraph(): void;
}

type Flow = ReturnType<typeof useReactFlow>;
type Builder = ReturnType<typeof useBuilder>;

const measuredHeights = (flow: Flow): Record<string, number> =>
  Object.fromEntries(
    flow.getNodes().flatMap((node) => (node.measured?.height ? [[node.id, node.measured.height]] : [])),
  );

/** Middle of the canvas that is seen, in canvas units. */
function viewCentre(flow: Flow): { x: number; y: number } {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect();
  if (!box) return { x: 0, y: 0 };
  const centre = flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  return { x: centre.x - NODE_WIDTH / 2, y: centre.y };
}

function editHandlers({ document: doc, ui }: Builder, flow: Flow) {
  const selection = () => ui.getState().selectedNodes;
  const open = (dialog: BuilderDialog) => () => ui.setState({ dialog });
  return {
    undo: () => doc.undo(),
    redo: () => doc.redo(),
    bypass: () => void doc.dispatch(toggleBypass, { nodeIds: selection() }),
    remove: () => {
      const { selectedNodes, selectedEdges } = ui.getState();
      doc.dispatch(remove, { nodeIds: selectedNodes, edgeIds: selectedEdges });
      ui.setState({ selectedNodes: [], selectedEdges: [] });
    },
    'select-all': () => ui.setState({ selectedNodes: doc.store.getState().pipeline.nodes.map((node) => node.id) }),
    'lay-out': () => {
      if (doc.dispatch(layOut, { heights: measuredHeights(flow) })) {
        requestAnimationFrame(() => void flow.fitView({ padding: 0.15, maxZoom: 1 }));
      }
    },
    fit: () => void flow.fitView({ padding: 0.15, maxZoom: 1 }),
    commands: open('commands'),
    export: open('export'),
    keys: open('keys'),
    add: () => ui.setState({ search: { at: viewCentre(flow), from: null } }),
    search: () => window.document.getElementById(PALETTE_SEARCH_ID)?.focus(),
  };
}

const clipboardHandlers = (clipboard: ClipboardCommands) => ({
  copy: clipboard.copy,
  cut: clipboard.cut,
  paste: clipboard.paste,
  duplicate: clipboard.duplicate,
});

/** All commands of the builder, stable over renders. */
export function useCommandHandlers(page: PageCommands): Commands {
  const builder = useBuilder();
  const flow = useReactFlow();
  const clipboard = useClipboardCommands();
  const latest = useRef(page);
  latest.current = page;
  return useMemo(() => {
    const handlers: Record<CommandId, () => void> = {
      ...editHandlers(builder, flow),
      ...clipboardHandlers(clipboard),
      run: () => latest.current.run(),
      'save-version': () => latest.current.saveVersion(),
    };
    const addNode = (type: string) => {
      latest.current.showGraph();
      const at = freePlace(builder.document.store.getState().pipeline.nodes, viewCentre(flow));
      addNewNode(builder, { type, at, from: null });
    };
    return { run: (id) => handlers[id](), addNode };
  }, [builder, flow, clipboard]);
}
