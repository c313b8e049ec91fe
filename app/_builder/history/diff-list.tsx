'use client';

import { diffPipelines, type PipelineDiff } from '@/server/core/pipeline/diff';
import type { Pipeline, PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';
import { titleOf } from '../catalog';
import { edgeId } from '../graph';
import { valueText } from '../node-view';

const LAYOUT_ONLY = new Set(['position']);

/** Changes of meaning; nodes that only moved are counted apart. */
function split(diff: PipelineDiff) {
  const meant = diff.changedNodes.filter(
    (change) => change.params.length > 0 || change.properties.some((name) => !LAYOUT_ONLY.has(name)),
  );
  return { meant, moved: diff.changedNodes.length - meant.length };
}

const edgeText = (edge: PipelineEdge): string => `${edge.from.node} → ${edge.to.node} (${edge.to.port})`;

/** What leads from one document to the other, in words: added, removed and changed nodes, edges, moves. */
export function DiffList({ before, after }: { before: Pipeline; after: Pipeline }) {
  const diff = diffPipelines(before, after);
  const { meant, moved } = split(diff);
  const edges = diff.addedEdges.length + diff.removedEdges.length;
  if (meant.length + moved + edges + diff.addedNodes.length + diff.removedNodes.length === 0) {
    return <p className="text-dim">No difference.</p>;
  }
  return (
    <ul className="grid gap-1 text-xs">
      {diff.addedNodes.map((node) => (
        <NodeLine key={node.id} sign="+" word="added" node={node} />
      ))}
      {diff.removedNodes.map((node) => (
        <NodeLine key={node.id} sign="−" word="removed" node={node} />
      ))}
      {meant.map((change) => (
        <li key={change.nodeId}>
          <Sign sign="~" word="changed" /> <span className="mono">{change.nodeId}</span>
          {change.params.map((param) => (
            <span key={param.field} className="block pl-4">
              {param.field}: <span className="mono text-dim line-through">{valueText(param.before)}</span>{' '}
              <span className="mono">{valueText(param.after)}</span>
            </span>
          ))}
          {change.properties
            .filter((name) => !LAYOUT_ONLY.has(name))
            .map((name) => (
              <span key={name} className="block pl-4 text-dim">
                {name} changed
              </span>
            ))}
        </li>
      ))}
      {diff.addedEdges.map((edge) => (
        <li key={edgeId(edge)}>
          <Sign sign="+" word="connected" /> <span className="mono">{edgeText(edge)}</span>
        </li>
      ))}
      {diff.removedEdges.map((edge) => (
        <li key={edgeId(edge)}>
          <Sign sign="−" word="disconnected" /> <span className="mono">{edgeText(edge)}</span>
        </li>
      ))}
      {moved > 0 ? <li className="text-dim">{moved === 1 ? '1 node moved' : `${moved} nodes moved`}</li> : null}
    </ul>
  );
}

function NodeLine({ sign, word, node }: { sign: string; word: string; node: PipelineNode }) {
  return (
    <li>
      <Sign sign={sign} word={word} /> {titleOf(node)} <span className="mono text-dim">{node.id}</span>
    </li>
  );
}

function Sign({ sign, word }: { sign: string; word: string }) {
  return (
    <>
      <span aria-hidden className="mono inline-block w-3 font-medium">
        {sign}
      </span>
      <span className="sr-only">{word}</span>
    </>
  );
}
