import { type Finding, finding } from '../plan/finding';
import { PIPELINE_VERSION, type Pipeline, type PipelineEdge } from './document';
import { isDeeperThan, isObject, parseEdge, parseNode, uniqueId } from './parse-parts';
import { upgradeDocument } from './upgrade';

export interface Parsed {
  pipeline: Pipeline;
  /** What had to be changed or left out to read it. Faults of the graph itself come from the compiler. */
  findings: Finding[];
}

/** No parameter needs more; deeper documents would exhaust the stack of whatever writes them. */
const MAX_DEPTH = 64;

const empty = (): Pipeline => ({ version: PIPELINE_VERSION, nodes: [], edges: [] });

function listOf(document: Record<string, unknown>, key: 'nodes' | 'edges', findings: Finding[]): unknown[] {
  const value = document[key];
  if (Array.isArray(value)) return value;
  findings.push(finding('error', `${key}-missing`, `The file has no list "${key}".`));
  return [];
}

function parseNodes(raw: unknown[], findings: Finding[]): Pipeline['nodes'] {
  const taken = new Set<string>();
  const suffixes = new Map<string, number>();
  const nodes: Pipeline['nodes'] = [];
  for (const [index, value] of raw.entries()) {
    const parsed = parseNode(value, index);
    findings.push(...parsed.findings);
    if (!parsed.node) continue;
    const id = uniqueId(parsed.node.id, taken, suffixes);
    if (id !== parsed.node.id) {
      const message = `Two nodes have the id "${parsed.node.id}"; the second one is now "${id}", its edges stay with the first.`;
      findings.push(finding('error', 'duplicate-node-id', message, { nodeId: id }));
    }
    taken.add(id);
    nodes.push({ ...parsed.node, id });
  }
  return nodes;
}

/**
 * Reads any JSON value as a pipeline: junk, foreign and half-wired documents give findings, with node ids where
 * there are nodes. Never throws. Unknown node types and keys are kept and written back.
 */
export function parsePipeline(raw: unknown): Parsed {
  if (!isObject(raw)) {
    return {
      pipeline: empty(),
      findings: [finding('error', 'not-a-pipeline', 'The file holds no pipeline document.')],
    };
  }
  if (isDeeperThan(raw, MAX_DEPTH)) {
    const message = `The document is nested deeper than ${MAX_DEPTH} levels and was not read.`;
    return { pipeline: empty(), findings: [finding('error', 'too-deep', message)] };
  }
  const { document, findings } = upgradeDocument(raw);
  const nodes = parseNodes(listOf(document, 'nodes', findings), findings);
  const ids = new Set(nodes.map((node) => node.id));
  const edges: PipelineEdge[] = [];
  for (const value of listOf(document, 'edges', findings)) {
    const parsed = parseEdge(value, ids);
    if ('edge' in parsed) edges.push(parsed.edge);
    else findings.push(parsed.finding);
  }
  return { pipeline: { ...document, version: PIPELINE_VERSION, nodes, edges }, findings };
}

/** The same from a file's text. */
export function parsePipelineText(text: string): Parsed {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { pipeline: empty(), findings: [finding('error', 'not-json', `The file is not JSON: ${reason}.`)] };
  }
  return parsePipeline(raw);
}

/** The document as a file holds it: version, nodes, edges, then whatever else it carried. */
export function serializePipeline(pipeline: Pipeline): string {
  const { version, nodes, edges, ...rest } = pipeline;
  return `${JSON.stringify({ version, nodes, edges, ...rest }, null, 2)}\n`;
}
