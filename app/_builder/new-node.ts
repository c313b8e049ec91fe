import type { PipelineNode } from '@/server/core/pipeline/document';
import { addNode } from './actions/add-node';
import { edgeBetween, portForNewNode } from './connect-rules';
import type { DocumentStore } from './document-store';
import { freshId } from './graph';
import type { OpenPort, UiStore } from './ui-store';

interface NewNode {
  type: string;
  at: { x: number; y: number };
  /** Port to tie it to, where the user drew an edge to empty canvas. */
  from: OpenPort | null;
}

/** Adds a node of a type, ties it to the open port and selects it. Parameters keep their defaults until they are set. */
export function addNewNode(
  { document, ui }: { document: DocumentStore; ui: UiStore },
  { type, at, from }: NewNode,
): string {
  const { pipeline } = document.store.getState();
  const node: PipelineNode = { id: freshId(pipeline, type), type, params: {}, position: at };
  const port = from ? portForNewNode(pipeline, from, node) : null;
  const edges = from && port ? [edgeBetween(from, node.id, port)] : [];
  document.dispatch(addNode, { node, edges });
  ui.setState({ selectedNodes: [node.id], selectedEdges: [] });
  return node.id;
}

const STEP = 24;

/** A free place at or below-right of the wanted one, so that nodes added by click don't cover each other. */
export function freePlace(nodes: readonly PipelineNode[], wanted: { x: number; y: number }): { x: number; y: number } {
  const taken = (x: number, y: number) =>
    nodes.some(({ position }) => position && Math.abs(position.x - x) < STEP && Math.abs(position.y - y) < STEP);
  let { x, y } = { x: Math.round(wanted.x / 8) * 8, y: Math.round(wanted.y / 8) * 8 };
  while (taken(x, y)) {
    x += STEP;
    y += STEP;
  }
  return { x, y };
}
