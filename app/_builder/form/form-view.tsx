'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Select } from '@/app/_ui/select';
import type { Pipeline } from '@/server/core/pipeline/document';
import { useDocument } from '../builder-context';
import { FAMILY_TITLES, nodeTypeOf, paletteGroups } from '../catalog';
import { useCommands } from '../commands-context';
import { FormNode } from './form-node';

/** The families in their order, then what no family knows. */
function groupsOf(pipeline: Pipeline) {
  const families = Object.entries(FAMILY_TITLES).map(([family, title]) => ({
    title,
    nodes: pipeline.nodes.filter((node) => nodeTypeOf(node.type)?.family === family),
  }));
  const unknown = { title: 'Unknown types', nodes: pipeline.nodes.filter((node) => !nodeTypeOf(node.type)) };
  return [...families, unknown].filter((group) => group.nodes.length > 0);
}

/** The same document as forms: every node, parameter and connection, without the canvas. */
export function FormView() {
  const pipeline = useDocument((state) => state.pipeline);
  const groups = groupsOf(pipeline);
  return (
    <div className="mx-auto grid max-w-4xl gap-5 p-4">
      <AddNode />
      {groups.length === 0 ? (
        <EmptyState title="No nodes yet">Add a model, an engine, hardware and a deployment to begin with.</EmptyState>
      ) : null}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title} className="grid gap-2">
          <h2 className="text-xs text-dim">{group.title}</h2>
          {group.nodes.map((node) => (
            <FormNode key={node.id} node={node} />
          ))}
        </section>
      ))}
    </div>
  );
}

function AddNode() {
  const { addNode } = useCommands();
  const options = paletteGroups().flatMap((group) =>
    group.types.map((type) => ({ value: type.type, label: `${group.title}: ${type.title}` })),
  );
  const [type, setType] = useState(options[0]?.value ?? '');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Type of the new node"
        className="w-64"
        value={type}
        options={options}
        onValueChange={setType}
      />
      <Button onClick={() => addNode(type)}>
        <Plus aria-hidden /> Add node
      </Button>
    </div>
  );
}
