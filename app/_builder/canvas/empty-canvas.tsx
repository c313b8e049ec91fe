'use client';

import { Button } from '@/app/_ui/button';
import { useDocument } from '../builder-context';
import { useCommands } from '../commands-context';

/** Shown while the document has no node. */
export function EmptyCanvas() {
  const empty = useDocument((state) => state.pipeline.nodes.length === 0);
  const { run, addNode } = useCommands();
  if (!empty) return null;
  return (
    <div className="pointer-events-none absolute inset-0 grid place-content-center px-6 text-center">
      <div className="pointer-events-auto grid justify-items-center gap-2">
        <h2 className="text-base">An empty graph</h2>
        <p className="max-w-sm text-dim">
          Drag node types from the left, or double-click here. A deployment with a model, an engine and hardware makes
          the first plan. A command line or a manifest that you have can be pasted.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => addNode('model')}>Add a model</Button>
          <Button onClick={() => run('add')}>Search nodes</Button>
        </div>
      </div>
    </div>
  );
}
