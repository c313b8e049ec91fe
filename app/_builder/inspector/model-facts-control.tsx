'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import type { OwnModel } from '@/server/core/facts/own-model';
import { DescribeDialog, type DescribeDraft, draftOf } from './describe-dialog';
import type { ParamControlProps } from './param-control';

const isOwn = (value: unknown): value is OwnModel => typeof value === 'object' && value !== null && 'layers' in value;

/** Facts that the node brings itself: where they come from, and the way to bring others. */
export function ModelFactsControl({ ids, value, onValue }: ParamControlProps) {
  const own = isOwn(value) ? value : null;
  const action = own ? 'Describe it anew' : 'Describe a model of your own';
  const [open, setOpen] = useState(false);
  // Kept while the node is selected: closing the dialog by mistake loses nothing.
  const [draft, setDraft] = useState<DescribeDraft | null>(null);
  const use = (facts: OwnModel | undefined) => {
    onValue(facts);
    setDraft(null);
    setOpen(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {own ? (
        <span className="text-dim">{`From ${own.source}: ${own.layers} layers of ${own.hidden}`}</span>
      ) : (
        <span className="text-dim">Those of the table</span>
      )}
      {/* The field's label would otherwise name the button, and not say what it does. */}
      <Button {...ids} size="sm" aria-label={action} onClick={() => setOpen(true)}>
        {action}
      </Button>
      {own ? (
        <Button size="sm" tone="quiet" onClick={() => use(undefined)}>
          Use the table
        </Button>
      ) : null}
      {open ? (
        <DescribeDialog
          own={own}
          draft={draft ?? draftOf(own)}
          onDraft={setDraft}
          onClose={() => setOpen(false)}
          onUse={use}
        />
      ) : null}
    </div>
  );
}
