import { type Finding, finding } from '../plan/finding';
import type { PipelineEdge, PipelineNode } from './document';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ids and port names may be numbers in foreign files. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
};

/** `id`, or `id-2`, `id-3`, … where it is taken. `from` remembers where to go on when one id comes often. */
export function uniqueId(id: string, taken: ReadonlySet<string>, from: Map<string, number> = new Map()): string {
  if (!taken.has(id)) return id;
  for (let n = from.get(id) ?? 2; ; n++) {
    if (taken.has(`${id}-${n}`)) continue;
    from.set(id, n + 1);
    return `${id}-${n}`;
  }
}

/** Whether a JSON value is nested deeper than `limit`; walks without recursion. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((v) => (typeof v === 'object' && v !== null ? Object.values(v) : []));
  }
  return false;
}

const isPosition = (value: unknown): value is { x: number; y: number } =>
  isObject(value) && Number.isFinite(value.x) && Number.isFinite(value.y);

/** One entry of `nodes`. No node: nothing of it could be kept. */
export function parseNode(raw: unknown, index: number): { node: PipelineNode | null; findings: Finding[] } {
  if (!isObject(raw)) {
    const message = `Entry ${index + 1} of "nodes" is no node and was left out.`;
    return { node: null, findings: [finding('error', 'node-malformed', message)] };
  }
  const id = textOf(raw.id) ?? `node-${index + 1}`;
  const type = textOf(raw.type) ?? 'unknown';
  const findings: Finding[] = [];
  const fault = (field: string, message: string) =>
    findings.push(finding('error', 'node-malformed', message, { nodeId: id, field }));
  if (textOf(raw.id) === null) fault('id', `Entry ${index + 1} of "nodes" has no id; it is now "${id}".`);
  if (textOf(raw.type) === null) fault('type', `Node "${id}" has no type.`);
  const { params, bypassed, position, ...rest } = raw;
  if (params !== undefined && !isObject(params))
    fault('params', `The parameters of "${id}" are no object; the defaults hold.`);
  if (bypassed !== undefined && typeof bypassed !== 'boolean')
    fault('bypassed', `"bypassed" of "${id}" is neither true nor false.`);
  if (position !== undefined && !isPosition(position))
    fault('position', `The position of "${id}" has no finite x and y.`);
  const node: PipelineNode = {
    ...rest,
    id,
    type,
    params: isObject(params) ? params : {},
    ...(typeof bypassed === 'boolean' && { bypassed }),
    ...(isPosition(position) && { position: { x: position.x, y: position.y } }),
  };
  return { node, findings };
}

function portOf(raw: unknown): PipelineEdge['from'] | null {
  if (!isObject(raw)) return null;
  const [node, port] = [textOf(raw.node), textOf(raw.port)];
  return node !== null && port !== null ? { node, port } : null;
}

/** A node that a broken edge names, so that the finding can be shown on it; other editors write source and target. */
function namedNode(raw: unknown, ids: ReadonlySet<string>): string | null {
  if (!isObject(raw)) return null;
  const ends = [raw.to, raw.from].flatMap((end) => (isObject(end) ? [end.node] : [end]));
  const names = [...ends, raw.target, raw.source].map(textOf);
  return names.find((name) => name !== null && ids.has(name)) ?? null;
}

/** One entry of `edges`. An edge to a node that is missing is kept: the compiler shows it and offers to remove it. */
export function parseEdge(raw: unknown, ids: ReadonlySet<string>): { edge: PipelineEdge } | { finding: Finding } {
  const from = isObject(raw) ? portOf(raw.from) : null;
  const to = isObject(raw) ? portOf(raw.to) : null;
  if (from && to) return { edge: { from, to } };
  const nodeId = namedNode(raw, ids);
  const where = nodeId ? ` at "${nodeId}"` : '';
  const message = `An edge${where} does not name a node and a port at both ends and was left out.`;
  return { finding: finding('error', 'edge-malformed', message, { nodeId }) };
}
