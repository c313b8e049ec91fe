import { STAGES } from '../pipeline/can-connect';
import type { Pipeline, PipelineEdge, PipelineNode } from '../pipeline/document';
import type { HardwareIntent } from './guess-hardware';
import type { ModelIntent } from './model-intent';
import type { PlacedNode } from './place-settings';
import { ENGINE_NODE } from './reading';
import type { RecoveredNodes } from './recover-nodes';
import type { ScalingIntent } from './scaling';

export interface Parts {
  target: ModelIntent | null;
  draft: ModelIntent | null;
  techniques: Pick<RecoveredNodes, 'target' | 'draft'>;
}

export interface GraphInput {
  parts: Parts;
  engine: Record<string, unknown>;
  hardware: HardwareIntent;
  scaling: ScalingIntent | null;
  name: string | null;
}

const COLUMN_PX = 240;
const ROW_PX = 160;
/** Lengths of the workload node's defaults, shortened where the context is. */
const INPUT_TOKENS = 192;
const OUTPUT_TOKENS = 64;
const TEMPLATE_TOKENS = 32;

/** A node and its output port. */
interface End {
  id: string;
  port: string;
}

class Graph {
  readonly nodes: PipelineNode[] = [];
  readonly edges: PipelineEdge[] = [];

  /** Adds a node under that id, with a number where it is taken. */
  add(id: string, type: string, params: Record<string, unknown>, column: number, row: number): string {
    const position = { x: column * COLUMN_PX, y: row * ROW_PX };
    const taken = new Set(this.nodes.map((node) => node.id));
    let free = id;
    for (let n = 2; taken.has(free); n++) free = `${id}-${n}`;
    this.nodes.push({ id: free, type, params, position });
    return free;
  }

  connect(from: End | null, to: string, input: string): void {
    if (from !== null) this.edges.push({ from: { node: from.id, port: from.port }, to: { node: to, port: input } });
  }
}

/** Model and its quantization; gives the node from which the weights come. */
function addModel(graph: Graph, id: string, intent: ModelIntent | null, row: number): End | null {
  if (intent === null) return null;
  const model = { id: graph.add(id, 'model', intent.params, 0, row), port: 'weights' };
  const { technique } = intent;
  if (technique === null) return model;
  const name = `${id === 'model' ? '' : `${id}-`}quantization`;
  const quantization = graph.add(name, technique.type, technique.params, 1, row);
  graph.connect(model, quantization, 'weights');
  return { id: quantization, port: 'weights' };
}

const stageOf = ({ type }: PlacedNode): number => STAGES.indexOf(type.stage);
const inputOf = ({ type }: PlacedNode): string => type.inputs.find(({ scope }) => scope === 'target')?.id ?? 'serving';
const gives = ({ type }: PlacedNode): string => type.outputs[0]?.gives ?? 'serving';
const outputOf = ({ type }: PlacedNode): string => type.outputs[0]?.id ?? 'serving';

/** Nodes one behind the other, in the order of their stages. */
function addChain(
  graph: Graph,
  nodes: readonly PlacedNode[],
  start: End | null,
  row: number,
  prefix: string,
): End | null {
  let last = start;
  const ordered = [...nodes].sort((a, b) => stageOf(a) - stageOf(b));
  ordered.forEach((node, i) => {
    const id = graph.add(`${prefix}${node.type.type}`, node.type.type, node.params, i + 2, row);
    graph.connect(last, id, inputOf(node));
    last = { id, port: outputOf(node) };
  });
  return last;
}

/** Traffic to measure with, short enough for the context. */
function workloadParams(context: number): Record<string, unknown> {
  if (context >= INPUT_TOKENS + OUTPUT_TOKENS + TEMPLATE_TOKENS) return {};
  const room = Math.max(2, context - Math.min(TEMPLATE_TOKENS, Math.floor(context / 4)));
  const outputTokens = Math.max(1, Math.floor(room / 4));
  return { inputTokens: Math.max(1, room - outputTokens), outputTokens };
}

const contextOf = (nodes: readonly PlacedNode[]): number =>
  Number(nodes.find(({ type }) => type.type === 'context')?.params.tokensPerSequence ?? Number.POSITIVE_INFINITY);

/** The pipeline of one engine start. A model that nobody named leaves its place open. */
export function buildGraph({ parts, engine, hardware, scaling, name }: GraphInput): Pipeline {
  const graph = new Graph();
  const { target, draft } = parts.techniques;
  const ofKind = (kind: string): PlacedNode[] => target.filter((node) => gives(node) === kind);
  const weights = addModel(graph, 'model', parts.target, 0);
  const serving = addChain(graph, [...ofKind('weights'), ...ofKind('serving')], weights, 0, '');
  const speculation = target.find(({ type }) => type.inputs.some(({ scope }) => scope === 'draft'));
  if (speculation !== undefined && parts.draft !== null) {
    const chain = addChain(graph, draft, addModel(graph, 'draft', parts.draft, 1), 1, 'draft-');
    const port = speculation.type.inputs.find(({ scope }) => scope === 'draft')?.id ?? 'draft';
    graph.connect(chain, speculation.type.type, port);
  }
  const gateway = addChain(graph, ofKind('gateway'), null, 2, '');
  graph.add(ENGINE_NODE, 'engine', engine, 0, 2);
  graph.add('hardware', 'hardware', { device: hardware.device, count: hardware.count }, 0, 3);
  graph.add('workload', 'workload', workloadParams(contextOf(target)), 0, 4);
  const column = ofKind('weights').length + ofKind('serving').length + 2;
  const deployment = graph.add('deployment', 'deployment', name === null ? {} : { name }, column, 0);
  graph.connect(serving, deployment, 'serving');
  graph.connect({ id: ENGINE_NODE, port: 'engine' }, deployment, 'engine');
  graph.connect({ id: 'hardware', port: 'hardware' }, deployment, 'hardware');
  graph.connect(gateway, deployment, 'gateway');
  if (scaling !== null) {
    graph.connect(
      { id: graph.add(scaling.type, scaling.type, scaling.params, 0, 5), port: 'scaling' },
      deployment,
      'scaling',
    );
  }
  return { version: 1, nodes: graph.nodes, edges: graph.edges };
}
