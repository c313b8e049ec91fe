'use client';

import { diffPipelines } from '@/server/core/pipeline/diff';
import type { Pipeline, PipelineNode } from '@/server/core/pipeline/document';
import { familyColor, nodeTypeOf, titleOf } from '../catalog';
import { edgeId, placeOf } from '../graph';
import { NODE_WIDTH } from '../layout';

const HEIGHT = 40;
const PAD = 24;
type Fate = 'added' | 'removed' | 'changed' | 'same';

const STROKES: Readonly<Record<Fate, string>> = {
  added: 'var(--better)',
  removed: 'var(--worse)',
  changed: 'var(--accent)',
  same: 'var(--line-strong)',
};
const SIGNS: Readonly<Record<Fate, string>> = { added: '+', removed: '−', changed: '~', same: '' };

interface Placed {
  node: PipelineNode;
  x: number;
  y: number;
  fate: Fate;
}

/** Nodes of both documents where the newer one has them, with what became of each. */
function placedNodes(before: Pipeline, after: Pipeline): Placed[] {
  const diff = diffPipelines(before, after);
  const added = new Set(diff.addedNodes.map((node) => node.id));
  const changed = new Set(
    diff.changedNodes
      .filter((change) => change.params.length > 0 || change.properties.some((name) => name !== 'position'))
      .map((change) => change.nodeId),
  );
  const fateOf = (id: string): Fate => (added.has(id) ? 'added' : changed.has(id) ? 'changed' : 'same');
  return [
    ...after.nodes.map((node, index) => ({ node, ...placeOf(node, index), fate: fateOf(node.id) })),
    ...diff.removedNodes.map((node, index) => ({ node, ...placeOf(node, index), fate: 'removed' as const })),
  ];
}

/** The difference as a drawing: added, removed and changed nodes and edges marked by sign, line and colour. */
export function DiffCanvas({ before, after }: { before: Pipeline; after: Pipeline }) {
  const placed = placedNodes(before, after);
  if (placed.length === 0) return null;
  const left = Math.min(...placed.map((node) => node.x)) - PAD;
  const top = Math.min(...placed.map((node) => node.y)) - PAD;
  const width = Math.max(...placed.map((node) => node.x)) + NODE_WIDTH + PAD - left;
  const height = Math.max(...placed.map((node) => node.y)) + HEIGHT + PAD - top;
  return (
    <figure className="overflow-hidden rounded-md border bg-bg">
      <svg
        role="img"
        aria-label="The difference on the graph; the list below says the same in words"
        viewBox={`${left} ${top} ${width} ${height}`}
        className="max-h-[45vh] w-full"
      >
        <DiffEdges before={before} after={after} placed={placed} />
        {placed.map((entry) => (
          <DiffNode key={`${entry.fate} ${entry.node.id}`} {...entry} />
        ))}
      </svg>
      <figcaption className="flex flex-wrap gap-3 border-t px-3 py-1 text-xs text-dim">
        <span>+ added</span>
        <span>− removed</span>
        <span>~ changed</span>
      </figcaption>
    </figure>
  );
}

function DiffNode({ node, x, y, fate }: Placed) {
  const family = nodeTypeOf(node.type)?.family ?? null;
  return (
    <g opacity={fate === 'same' ? 0.6 : 1}>
      <rect
        x={x}
        y={y}
        width={NODE_WIDTH}
        height={HEIGHT}
        rx={6}
        fill="var(--panel)"
        stroke={STROKES[fate]}
        strokeWidth={fate === 'same' ? 1 : 2}
        strokeDasharray={fate === 'removed' ? '5 4' : undefined}
      />
      <rect x={x} y={y} width={3} height={HEIGHT} fill={familyColor(family)} />
      <text x={x + 12} y={y + 17} fontSize={12} fill="var(--ink)">
        {SIGNS[fate]} {titleOf(node)}
      </text>
      <text x={x + 12} y={y + 32} fontSize={11} fill="var(--dim)" className="mono">
        {node.id.slice(0, 22)}
      </text>
    </g>
  );
}

function DiffEdges({ before, after, placed }: { before: Pipeline; after: Pipeline; placed: readonly Placed[] }) {
  const at = new Map(placed.map((entry) => [entry.node.id, entry]));
  const old = new Set(before.edges.map(edgeId));
  const kept = new Set(after.edges.map(edgeId));
  const all = [...after.edges, ...before.edges.filter((edge) => !kept.has(edgeId(edge)))];
  return all.map((edge) => {
    const from = at.get(edge.from.node);
    const to = at.get(edge.to.node);
    if (!from || !to) return null;
    const id = edgeId(edge);
    const fate: Fate = !kept.has(id) ? 'removed' : old.has(id) ? 'same' : 'added';
    const [x1, y1, x2, y2] = [from.x + NODE_WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
    const bend = Math.max(30, Math.abs(x2 - x1) / 2);
    return (
      <path
        key={id}
        d={`M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`}
        fill="none"
        stroke={STROKES[fate]}
        strokeWidth={fate === 'same' ? 1 : 2}
        strokeDasharray={fate === 'removed' ? '5 4' : undefined}
      />
    );
  });
}
