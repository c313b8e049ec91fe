import { findNodeType } from '../catalog/find-node-type';
import type { NodeType } from '../catalog/node-type';
import type { ValidatedParams } from '../catalog/validate-params';
import type { Scope } from '../plan/settings';
import { type Choice, nameArms } from './arm-names';
import type { ActiveGraph } from './bypass';
import type { PipelineEdge, PipelineNode } from './document';
import { groupBy, pairKey } from './edges';

/** A node in one arm. The same node may stand in two scopes, a model that drafts for itself say. */
export interface Participant {
  node: PipelineNode;
  type: NodeType;
  scope: Scope;
  params: Record<string, unknown>;
}

/** One of the configurations that a deployment stands for: every choice and every sweep decided. */
export interface Arm {
  /** `dep` or `dep[param=value,…]`. */
  id: string;
  deployment: PipelineNode;
  /** From sources to the deployment, which is last. */
  participants: Participant[];
  /** Nodes of unknown type on the way: what they would do is not known. */
  unknownNodeIds: string[];
  choices: readonly Choice[];
}

/** What a walk has decided so far. */
interface Decisions {
  edges: ReadonlyMap<string, PipelineEdge>;
  values: ReadonlyMap<string, unknown>;
  choices: readonly Choice[];
}
type Open =
  | { node: PipelineNode; port: string; edges: PipelineEdge[] }
  | { node: PipelineNode; field: string; values: unknown[] };

interface WiredPort {
  port: string;
  scope: Scope;
  edges: PipelineEdge[];
}

export interface ExpandInput {
  graph: ActiveGraph;
  params: ReadonlyMap<string, ValidatedParams>;
  deployment: PipelineNode;
}
interface Walk extends ExpandInput {
  ports: Map<string, WiredPort[]>;
}

/** Input ports of a node in the order of its type, each with the edges that enter it. */
function portsOf(walk: Walk, node: PipelineNode): WiredPort[] {
  const known = walk.ports.get(node.id);
  if (known) return known;
  const edges = groupBy(walk.graph.incoming.get(node.id) ?? [], (edge) => edge.to.port);
  const inputs = findNodeType(node.type)?.inputs ?? [];
  const ports = inputs.map((input) => ({ port: input.id, scope: input.scope, edges: edges.get(input.id) ?? [] }));
  walk.ports.set(node.id, ports);
  return ports;
}

const chosen = (decided: Decisions, nodeId: string, port: string, edges: PipelineEdge[]): PipelineEdge | undefined =>
  edges.length === 1 ? edges[0] : decided.edges.get(pairKey(nodeId, port));

const openSweep = (walk: Walk, decided: Decisions, node: PipelineNode): Open | null => {
  const sweeps = walk.params.get(node.id)?.sweeps ?? [];
  const sweep = sweeps.find((s) => s.kind !== 'load' && !decided.values.has(pairKey(node.id, s.field)));
  return sweep ? { node, field: sweep.field, values: sweep.values } : null;
};

/** The first choice or sweep upstream of the deployment that is not decided yet; null: the arm is complete. */
function nextOpen(walk: Walk, decided: Decisions): Open | null {
  const seen = new Set<string>([walk.deployment.id]);
  const open = [walk.deployment];
  for (let node = open.shift(); node; node = open.shift()) {
    const sweep = openSweep(walk, decided, node);
    if (sweep) return sweep;
    for (const { port, edges } of portsOf(walk, node)) {
      const edge = chosen(decided, node.id, port, edges);
      if (!edge && edges.length > 1) return { node, port, edges };
      const source = edge && walk.graph.nodes.get(edge.from.node);
      if (!source || seen.has(source.id)) continue;
      seen.add(source.id);
      open.push(source);
    }
  }
  return null;
}

function decide(decided: Decisions, open: Open): Decisions[] {
  if ('field' in open) {
    return open.values.map((value) => ({
      ...decided,
      values: new Map(decided.values).set(pairKey(open.node.id, open.field), value),
      choices: [...decided.choices, { kind: 'sweep', nodeId: open.node.id, name: open.field, value }],
    }));
  }
  return open.edges.map((edge) => ({
    ...decided,
    edges: new Map(decided.edges).set(pairKey(open.node.id, open.port), edge),
    choices: [
      ...decided.choices,
      { kind: 'edge', nodeId: open.node.id, name: open.port, edge, others: open.edges.filter((e) => e !== edge) },
    ],
  }));
}

/** A node's parameters with its sweeps decided. */
function paramsIn(walk: Walk, decided: Decisions, node: PipelineNode): Record<string, unknown> {
  const { values = {}, sweeps = [] } = walk.params.get(node.id) ?? {};
  if (sweeps.length === 0) return values;
  const swept = sweeps.flatMap(({ field }): [string, unknown][] => {
    const key = pairKey(node.id, field);
    return decided.values.has(key) ? [[field, decided.values.get(key)]] : [];
  });
  return { ...values, ...Object.fromEntries(swept) };
}

/** Nodes of a decided arm, sources first. */
function participantsOf(walk: Walk, decided: Decisions): Pick<Arm, 'participants' | 'unknownNodeIds'> {
  const found: Participant[] = [];
  const unknown = new Set<string>();
  const seen = new Set<string>();
  const visit = (node: PipelineNode, scope: Scope): void => {
    const type = findNodeType(node.type);
    const key = pairKey(node.id, scope);
    if (!type) unknown.add(node.id);
    if (!type || seen.has(key)) return;
    seen.add(key);
    for (const input of portsOf(walk, node)) {
      const edge = chosen(decided, node.id, input.port, input.edges);
      const source = edge && walk.graph.nodes.get(edge.from.node);
      if (source) visit(source, input.scope === 'target' ? scope : input.scope);
    }
    found.push({ node, type, scope, params: paramsIn(walk, decided, node) });
  };
  visit(walk.deployment, 'target');
  return { participants: found, unknownNodeIds: [...unknown] };
}

export interface Expansion {
  arms: Arm[];
  /** More arms than `limit`; only the first ones are listed. */
  exceeded: boolean;
}

/**
 * The product of a deployment's choices and sweeps, in document order, up to `limit` arms. Each decision has at least
 * one alternative, so that `limit` decisions on one way mean more arms than that: the walk ends there.
 */
export function expandDeployment(input: ExpandInput, limit: number): Expansion {
  const walk: Walk = { ...input, ports: new Map() };
  const complete: Decisions[] = [];
  const stack: Decisions[] = [{ edges: new Map(), values: new Map(), choices: [] }];
  for (let decided = stack.pop(); decided; decided = stack.pop()) {
    if (complete.length === limit || decided.choices.length >= Math.max(limit, 1)) {
      return { arms: toArms(walk, complete), exceeded: true };
    }
    const open = nextOpen(walk, decided);
    if (open) stack.push(...decide(decided, open).reverse());
    else complete.push(decided);
  }
  return { arms: toArms(walk, complete), exceeded: false };
}

function toArms(walk: Walk, complete: readonly Decisions[]): Arm[] {
  const ids = nameArms(
    walk.graph,
    walk.deployment.id,
    complete.map((decided) => decided.choices),
  );
  return complete.map((decided, index) => ({
    id: ids[index] ?? walk.deployment.id,
    deployment: walk.deployment,
    ...participantsOf(walk, decided),
    choices: decided.choices,
  }));
}
