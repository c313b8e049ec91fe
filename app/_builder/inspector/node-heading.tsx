'use client';

import { Copy, EyeOff, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_ui/button';
import { Input } from '@/app/_ui/input';
import { Tooltip } from '@/app/_ui/tooltip';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { renameNode } from '../actions/rename-node';
import { useBuilder } from '../builder-context';
import { FAMILY_TITLES, familyColor, nodeTypeOf, titleOf } from '../catalog';
import { useCommands } from '../commands-context';

/** Family, title, id and what can be done with the node. */
export function NodeHeading({ node }: { node: PipelineNode }) {
  const { run } = useCommands();
  const type = nodeTypeOf(node.type);
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex items-center gap-1.5 text-xs text-dim">
        <span
          aria-hidden
          className="h-3 w-[3px] rounded-sm"
          style={{ background: familyColor(type?.family ?? null) }}
        />
        {type ? FAMILY_TITLES[type.family] : 'Unknown type'}
      </p>
      <div className="flex items-center gap-1">
        <h2 className="mr-auto min-w-0 text-base leading-5 break-words">{titleOf(node)}</h2>
        <Tooltip content="Bypass: it takes no part (Ctrl B)">
          <Button
            tone="quiet"
            size="icon"
            aria-label="Bypass"
            aria-pressed={node.bypassed === true}
            className="aria-pressed:border-accent aria-pressed:text-accent"
            onClick={() => run('bypass')}
          >
            <EyeOff aria-hidden />
          </Button>
        </Tooltip>
        <Tooltip content="Duplicate (Ctrl D)">
          <Button tone="quiet" size="icon" aria-label="Duplicate" onClick={() => run('duplicate')}>
            <Copy aria-hidden />
          </Button>
        </Tooltip>
        <Tooltip content="Delete">
          <Button tone="quiet" size="icon" aria-label="Delete" onClick={() => run('remove')}>
            <Trash2 aria-hidden />
          </Button>
        </Tooltip>
      </div>
      <NodeId key={node.id} id={node.id} />
      {type ? <p className="text-dim">{type.summary}</p> : null}
    </header>
  );
}

/** The id names the node in plans and reports, so it can be made to read well. */
function NodeId({ id }: { id: string }) {
  const { document, ui } = useBuilder();
  const fieldId = useId();
  const [draft, setDraft] = useState(id);
  const commit = () => {
    const to = draft.trim();
    if (to === id) return;
    if (document.dispatch(renameNode, { nodeId: id, to })) ui.setState({ selectedNodes: [to] });
    else {
      toast.error(to === '' ? 'A node needs an id.' : `The id “${to}” is taken.`);
      setDraft(id);
    }
  };
  return (
    <div className="flex items-center gap-2 text-xs text-dim">
      <label htmlFor={fieldId}>id</label>
      <Input
        id={fieldId}
        className="mono h-6"
        value={draft}
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
