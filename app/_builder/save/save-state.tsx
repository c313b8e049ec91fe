'use client';

import { CloudOff, TriangleAlert } from 'lucide-react';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { useBuilder } from '../builder-context';
import type { SaveState as State } from './autosaver';

/** Where the edits are: on the server, on their way, or only here. */
export function SaveState({ state, canEdit, onRetry }: { state: State; canEdit: boolean; onRetry: () => void }) {
  const { ui } = useBuilder();
  if (!canEdit) return <span className="text-dim">View only: changes are not saved</span>;
  switch (state.kind) {
    case 'saved':
      return (
        <span role="status" className="whitespace-nowrap text-dim">
          Saved <Ago at={state.at} />
        </span>
      );
    case 'pending':
    case 'saving':
      return (
        <span role="status" className="text-dim">
          Saving…
        </span>
      );
    case 'offline':
      return (
        <span role="status" className="flex items-center gap-1 text-warn">
          <CloudOff aria-hidden className="size-3.5" /> Offline: kept in this browser
        </span>
      );
    case 'refused':
      return (
        <span role="alert" className="flex items-center gap-1.5 text-error">
          <TriangleAlert aria-hidden className="size-3.5" /> Not saved: {state.message}
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </span>
      );
    case 'conflict':
      return (
        <Button size="sm" tone="danger" onClick={() => ui.setState({ dialog: 'conflict' })}>
          Conflict: decide
        </Button>
      );
  }
}
