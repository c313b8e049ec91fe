import { findNodeType } from '../catalog/find-node-type';
import { type Finding, finding } from '../plan/finding';
import { type ActiveGraph, activeGraph, bypassedWith, participants } from './bypass';
import { edgeFault } from './can-connect';
import { findCycles } from './cycles';
import type { Pipeline, PipelineEdge, PipelineNode } from './document';
import { edgeKey } from './edges';
import { missingPortFix } from './missing-port-fix';

const removal = (edge: PipelineEdge): Finding['fix'] => ({
  label: 'Remove the edge',
  edits: [{ op: 'remove-edge', edge }],
});

function checkEdges(pipeline: Pipeline): Finding[] {
  const byId = new Map(pipeline.nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  return pipeline.edges.flatMap((edge): Finding[] => {
    const from = byId.get(edge.from.node);
    const to = byId.get(edge.to.node);
    if (!from || !to) {
      const missing = from ? edge.to.node : edge.from.node;
      const message = `An edge leads ${from ? 'to' : 'from'} "${missing}", which is not in the pipeline.`;
      return [finding('error', 'edge-dangling', message, { nodeId: from?.id ?? to?.id ?? null, fix: removal(edge) })];
    }
    const key = edgeKey(edge);
    if (seen.has(key)) {
      const edits: NonNullable<Finding['fix']>['edits'] = [
        { op: 'remove-edge', edge },
        { op: 'add-edge', edge },
      ];
      const fix = { label: 'Keep one', edits };
      return [finding('warning', 'edge-duplicate', 'The same edge is there twice.', { nodeId: to.id, fix })];
    }
    seen.add(key);
    const fault = edgeFault(findNodeType(from.type), findNodeType(to.type), edge);
    if (!fault) return [];
    const nodeId = fault.at === 'from' ? from.id : to.id;
    return [finding('error', fault.code, fault.reason, { nodeId, field: edge[fault.at].port, fix: removal(edge) })];
  });
}

function checkCycles(pipeline: Pipeline): Finding[] {
  const ids = new Set(pipeline.nodes.map((node) => node.id));
  const edges = pipeline.edges.filter((edge) => ids.has(edge.from.node) && ids.has(edge.to.node));
  return findCycles([...ids], edges).flatMap((cycle) => {
    const message = `The edges close a circle: ${cycle.slice(0, 8).join(', ')}${cycle.length > 8 ? ', …' : ''}.`;
    return cycle.map((nodeId) => finding('error', 'cycle', message, { nodeId }));
  });
}

function checkTypes(nodes: readonly PipelineNode[]): Finding[] {
  return nodes
    .filter((node) => findNodeType(node.type) === null && node.bypassed !== true)
    .map((node) => {
      const message = `"${node.type}" is no node type of this version; the node is kept as it is.`;
      const fix: Finding['fix'] = {
        label: 'Bypass the node',
        edits: [{ op: 'set-bypass', nodeId: node.id, bypassed: true }],
      };
      return finding('error', 'unknown-node-type', message, { nodeId: node.id, field: 'type', fix });
    });
}

/** A server that runs already brings its own model and hardware. */
function runsElsewhere(node: PipelineNode, graph: ActiveGraph): boolean {
  const engines = (graph.incoming.get(node.id) ?? []).filter((edge) => edge.to.port === 'engine');
  const isEndpoint = (id: string) => graph.nodes.get(id)?.params.engine === 'endpoint';
  return engines.length > 0 && engines.every((edge) => isEndpoint(edge.from.node));
}

function checkRequiredPorts(node: PipelineNode, graph: ActiveGraph, pipeline: Pipeline): Finding[] {
  const type = findNodeType(node.type);
  if (!type) return [];
  const wired = new Set((graph.incoming.get(node.id) ?? []).map((edge) => edge.to.port));
  const optional = type.stage === 'sink' && runsElsewhere(node, graph) ? ['serving', 'hardware'] : [];
  return type.inputs
    .filter((port) => port.required && !wired.has(port.id) && !optional.includes(port.id))
    .map((port) => {
      const message = `Nothing enters "${port.label}" of ${type.title}; it needs ${port.accepts.join(' or ')}.`;
      const fix = missingPortFix(pipeline, node, port);
      return finding('error', 'port-unconnected', message, { nodeId: node.id, field: port.id, fix });
    });
}

/** What is idle because something was bypassed is meant to be idle. */
function checkUse(graph: ActiveGraph, active: ReadonlySet<string>, idle: ReadonlySet<string>): Finding[] {
  return [...graph.nodes.values()].flatMap((node) => {
    const type = findNodeType(node.type);
    // A node without ports, the workload, belongs to the experiment as a whole.
    if (!type || active.has(node.id) || idle.has(node.id) || type.outputs.length === 0) return [];
    const message = `${type.title} leads to no deployment and takes no part.`;
    return [finding('warning', 'unused-node', message, { nodeId: node.id })];
  });
}

/** Faults of the graph itself: types, edges, ports, stages, circles. Every finding names its node. */
export function checkTopology(
  pipeline: Pipeline,
  graph = activeGraph(pipeline),
  active: ReadonlySet<string> = participants(graph),
): Finding[] {
  const parts = [...graph.nodes.values()].filter((node) => active.has(node.id));
  return [
    ...checkTypes(pipeline.nodes),
    ...checkEdges(pipeline),
    ...checkCycles(pipeline),
    ...parts.flatMap((node) => checkRequiredPorts(node, graph, pipeline)),
    ...checkUse(graph, active, bypassedWith(pipeline)),
  ];
}
