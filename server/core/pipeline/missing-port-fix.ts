import { NODE_TYPES } from '../catalog/index';
import type { InputPort } from '../catalog/node-type';
import type { Finding } from '../plan/finding';
import type { Pipeline, PipelineNode } from './document';
import { uniqueId } from './parse-parts';

/** New nodes stand one column to the left of the node that needs them. */
const COLUMN_PX = 232;

/** A source type that gives what the port takes: an engine for "engine", a model for "weights or serving". */
const sourceFor = (port: InputPort) =>
  NODE_TYPES.find((type) => type.stage === 'source' && type.outputs.some((out) => port.accepts.includes(out.gives)));

/** Connects the only source of that kind, or adds one; null where there are several to choose from. */
export function missingPortFix(pipeline: Pipeline, node: PipelineNode, port: InputPort): Finding['fix'] {
  const type = sourceFor(port);
  const output = type?.outputs.find((out) => port.accepts.includes(out.gives));
  if (!type || !output) return null;
  const present = pipeline.nodes.filter((other) => other.type === type.type && other.bypassed !== true);
  if (present.length > 1) return null;
  const taken = new Set(pipeline.nodes.map((other) => other.id));
  const id = present[0]?.id ?? uniqueId(type.type, taken);
  const edge = { from: { node: id, port: output.id }, to: { node: node.id, port: port.id } };
  if (present[0]) return { label: `Connect ${type.title.toLowerCase()} "${id}"`, edits: [{ op: 'add-edge', edge }] };
  const position = node.position && { x: node.position.x - COLUMN_PX, y: node.position.y };
  const added = { id, type: type.type, params: {}, ...(position && { position }) };
  return {
    label: `Add ${type.title.toLowerCase()}`,
    edits: [
      { op: 'add-node', node: added },
      { op: 'add-edge', edge },
    ],
  };
}
