'use client';

import { X } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { useBuilder, useDocument, useUi } from '../builder-context';
import { nodeTypeOf } from '../catalog';
import { useCommands } from '../commands-context';
import { FindingItem } from '../problems/finding-item';
import { Becomes } from './becomes';
import { lossOf } from './loss-of';
import { ModelFacts } from './model-facts';
import { NodeHeading } from './node-heading';
import { NodeParams } from './node-params';
import { TechniqueFacts } from './technique-facts';

/** What is selected: one node with all that it says and can be told, or what to do with several. */
export function Inspector() {
  const { ui } = useBuilder();
  const selected = useUi((state) => state.selectedNodes);
  const node = useDocument((state) =>
    selected.length === 1 ? state.pipeline.nodes.find((other) => other.id === selected[0]) : undefined,
  );
  const isEmpty = selected.length === 0;
  return (
    <aside
      aria-label="Inspector"
      className={`relative min-h-0 overflow-y-auto border-l bg-panel p-3 max-md:absolute max-md:inset-x-0 max-md:bottom-0 max-md:z-10 max-md:max-h-[60%] max-md:border-t max-md:border-l-0 ${isEmpty ? 'max-md:hidden' : ''}`}
    >
      <Button
        tone="quiet"
        size="icon"
        aria-label="Close the inspector"
        className="absolute top-1 right-1 md:hidden"
        onClick={() => ui.setState({ selectedNodes: [], selectedEdges: [] })}
      >
        <X aria-hidden />
      </Button>
      {node ? <NodeInspector key={node.id} node={node} /> : null}
      {selected.length > 1 ? <ManySelected count={selected.length} /> : null}
      {isEmpty ? <NothingSelected /> : null}
    </aside>
  );
}

/** Nodes that stand for a model: the source, and what takes its place. */
const hasModel = (node: PipelineNode): boolean =>
  node.type === 'model' || nodeTypeOf(node.type)?.replacesModel !== undefined;

function NodeInspector({ node }: { node: PipelineNode }) {
  const type = nodeTypeOf(node.type);
  const findings = useUi((state) => state.findingsByNode.get(node.id)) ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <NodeHeading node={node} />
      {findings.length > 0 ? (
        <section aria-label="Problems of this node" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          {findings.map((finding) => (
            <FindingItem key={`${finding.code} ${finding.field} ${finding.message}`} finding={finding} />
          ))}
        </section>
      ) : null}
      <NodeParams node={node} />
      <Becomes nodeId={node.id} />
      {hasModel(node) ? <ModelFacts node={node} /> : null}
      {type?.technique ? <TechniqueFacts facts={type.technique} loss={lossOf(node) ?? type.technique.loss} /> : null}
    </div>
  );
}

function ManySelected({ count }: { count: number }) {
  const { run } = useCommands();
  return (
    <div className="grid gap-3">
      <h2 className="text-base">{count} nodes selected</h2>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => run('bypass')}>Bypass</Button>
        <Button onClick={() => run('duplicate')}>Duplicate</Button>
        <Button onClick={() => run('copy')}>Copy</Button>
        <Button tone="danger" onClick={() => run('remove')}>
          Delete
        </Button>
      </div>
    </div>
  );
}

function NothingSelected() {
  const { run } = useCommands();
  return (
    <div className="grid gap-3 text-dim">
      <p>Select a node to see and change its parameters.</p>
      <p>Nodes in a row are used together. Several edges into one port are alternatives: each becomes a plan.</p>
      <Button className="justify-self-start" onClick={() => run('keys')}>
        Show the keys
      </Button>
    </div>
  );
}
