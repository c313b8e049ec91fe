import { findNodeType } from '../catalog/find-node-type';
import { STAGES } from '../pipeline/can-connect';
import type { Pipeline, PipelineEdge, PipelineNode } from '../pipeline/document';
import type { HardwareIntent } from './guess-hardware';
import type { ModelIntent } from './model-intent';
import type { Parts } from './parts';
import { ENGINE_NODE } from './reading';

export interface GraphInput {
  parts: Parts;
  engine: Record<string, unknown>;
  hardware: HardwareIntent;
  name: string | null;
}

const COLUMN_PX = 240;
const ROW_PX = 160;
/** Lengths of the workload node's defaults, shortened where the context is. */
const INPUT_TOKENS = 192;
const OUTPUT_TOKENS = 64;
const TEMPLATE_TOKENS = 32;

class Graph {
  readonly nodes: PipelineNode[] = [];
  readonly edges: PipelineEdge[] = [];

  add(id: string, type: string, params: Record<string, unknown>, column: number, row: number): string {
    const position = { x: column * COLUMN_PX, y: row * ROW_PX };
    this.nodes.push({ id, type, params, position });
    return id;
  }

  connect(from: string, output: string, to: string, input: string): void {
    this.edges.push({ from: { node: from, port: output }, to: { node: to, port: input } });
  }
}

/** Model and its quantization; gives the node from which the weights come. */
function addModel(graph: Graph, id: string, intent: ModelIntent, row: number): string {
  graph.add(id, 'model', intent.params, 0, row);
  if (intent.quantization === null) return id;
  const quantization = graph.add(
    `${id === 'model' ? '' : `${id}-`}quantization`,
    'gguf-quantization',
    intent.quantization,
    1,
    row,
  );
  graph.connect(id, 'weights', quantization, 'weights');
  return quantization;
}

const stageOf = (type: string): number => STAGES.indexOf(findNodeType(type)?.stage ?? 'source');
const isGateway = (type: string): boolean => findNodeType(type)?.family === 'gateway';

function addTechniques(
  graph: Graph,
  parts: Parts,
  weights: string | null,
): { last: string | null; port: string; columns: number } {
  const ordered = [...parts.techniques]
    .filter(([type]) => !isGateway(type))
    .sort(([a], [b]) => stageOf(a) - stageOf(b));
  let last = weights;
  let port = 'weights';
  ordered.forEach(([type, params], i) => {
    const id = graph.add(type, type, params, i + 2, 0);
    if (last !== null) graph.connect(last, port, id, 'serving');
    if (type === 'draft-speculation' && parts.draft !== null) {
      graph.connect(addModel(graph, 'draft', parts.draft, 1), 'weights', id, 'draft');
    }
    last = id;
    port = 'serving';
  });
  return { last, port, columns: ordered.length + 2 };
}

function addGateway(graph: Graph, parts: Parts): string | null {
  let last: string | null = null;
  for (const [type, params] of [...parts.techniques].filter(([name]) => isGateway(name))) {
    const id = graph.add(type, type, params, last === null ? 2 : 3, 2);
    if (last !== null) graph.connect(last, 'gateway', id, 'gateway');
    last = id;
  }
  return last;
}

/** Traffic to measure with, short enough for the context. */
function workloadParams(parts: Parts): Record<string, unknown> {
  const context = Number(parts.techniques.get('context')?.tokensPerSequence ?? Number.POSITIVE_INFINITY);
  if (context >= INPUT_TOKENS + OUTPUT_TOKENS + TEMPLATE_TOKENS) return {};
  const room = Math.max(2, context - Math.min(TEMPLATE_TOKENS, Math.floor(context / 4)));
  const outputTokens = Math.max(1, Math.floor(room / 4));
  return { inputTokens: Math.max(1, room - outputTokens), outputTokens };
}

/** The pipeline of one engine start. A model that nobody named leaves its place open. */
export function buildGraph({ parts, engine, hardware, name }: GraphInput): Pipeline {
  const graph = new Graph();
  const weights = parts.model === null ? null : addModel(graph, 'model', parts.model, 0);
  const { last, port, columns } = addTechniques(graph, parts, weights);
  const gateway = addGateway(graph, parts);
  graph.add(ENGINE_NODE, 'engine', engine, 0, 2);
  graph.add('hardware', 'hardware', { device: hardware.device, count: hardware.count }, 0, 3);
  graph.add('workload', 'workload', workloadParams(parts), 0, 4);
  const deployment = graph.add('deployment', 'deployment', name === null ? {} : { name }, columns, 0);
  if (last !== null) graph.connect(last, port, deployment, 'serving');
  graph.connect(ENGINE_NODE, 'engine', deployment, 'engine');
  graph.connect('hardware', 'hardware', deployment, 'hardware');
  if (gateway !== null) graph.connect(gateway, 'gateway', deployment, 'gateway');
  return { version: 1, nodes: graph.nodes, edges: graph.edges };
}
