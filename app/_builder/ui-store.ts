import { createStore } from 'zustand/vanilla';
import type { NodeRunState } from '@/app/_runs/node-states';
import type { Compiled } from '@/server/core/compile/compiled';
import type { Finding } from '@/server/core/plan/finding';

/** A port that an edge is being drawn from. */
export interface OpenPort {
  node: string;
  port: string;
  side: 'source' | 'target';
}

/** While an edge is drawn: why each other port cannot take it; null where it can. Key: `node:port`. */
export interface Connecting {
  from: OpenPort;
  refusals: ReadonlyMap<string, string | null>;
}

/** The search for a node to add: where it goes, and the port that it is to be tied to. */
export interface NodeSearch {
  at: { x: number; y: number };
  from: OpenPort | null;
}

export type BuilderDialog = 'export' | 'keys' | 'commands' | 'conflict' | null;

export interface UiState {
  selectedNodes: readonly string[];
  selectedEdges: readonly string[];
  connecting: Connecting | null;
  search: NodeSearch | null;
  dialog: BuilderDialog;
  compiled: Compiled | null;
  /** An edit is not compiled yet. */
  compiling: boolean;
  /** The compiler itself broke; its message. */
  compileFailure: string | null;
  findingsByNode: ReadonlyMap<string, readonly Finding[]>;
  runStates: ReadonlyMap<string, NodeRunState>;
  /** Field that the inspector should put the focus on. */
  focusField: { nodeId: string; field: string } | null;
  /** Plan whose nodes are brought out, the others dimmed. */
  focusedPlan: { deployment: string; nodeIds: readonly string[] } | null;
  /** Node that the canvas should bring to its centre; `at` grows with each wish. */
  centreOn: { nodeId: string; at: number } | null;
}

export const createUiStore = () =>
  createStore<UiState>()(() => ({
    selectedNodes: [],
    selectedEdges: [],
    connecting: null,
    search: null,
    dialog: null,
    compiled: null,
    compiling: true,
    compileFailure: null,
    findingsByNode: new Map(),
    runStates: new Map(),
    focusField: null,
    focusedPlan: null,
    centreOn: null,
  }));

export type UiStore = ReturnType<typeof createUiStore>;

export function groupFindings(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.nodeId === null) continue;
    const group = groups.get(finding.nodeId);
    if (group) group.push(finding);
    else groups.set(finding.nodeId, [finding]);
  }
  return groups;
}

/** Selects a node and asks the canvas to show it; `field`: and the inspector to go to it. */
export function revealNode(ui: UiStore, nodeId: string, field: string | null = null): void {
  const last = ui.getState().centreOn?.at ?? 0;
  ui.setState({
    selectedNodes: [nodeId],
    selectedEdges: [],
    centreOn: { nodeId, at: last + 1 },
    focusField: field === null ? null : { nodeId, field },
  });
}
