'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { useBuilder, useDocument, useUi } from '../builder-context';
import { DiffList } from '../history/diff-list';
import type { Theirs } from './autosaver';
import type { Autosave } from './use-autosave';

/** Someone else saved in between: shows what differs and asks which document stays. Neither is lost. */
export function ConflictDialog({ name, autosave }: { name: string; autosave: Autosave }) {
  const { ui } = useBuilder();
  const open = useUi((state) => state.dialog === 'conflict');
  const close = () => ui.setState({ dialog: null });
  if (!open || autosave.state.kind !== 'conflict') return null;
  return <Decision name={name} theirs={autosave.state.theirs} autosave={autosave} onClose={close} />;
}

interface DecisionProps {
  name: string;
  theirs: Theirs;
  autosave: Autosave;
  onClose: () => void;
}

function Decision({ name, theirs, autosave, onClose }: DecisionProps) {
  const mine = useDocument((state) => state.pipeline);
  const trpc = useTRPC();
  const take = () => {
    autosave.takeTheirs(theirs);
    onClose();
  };
  const copy = useMutation(
    trpc.pipelines.create.mutationOptions({
      onSuccess: (made) => {
        toast.success(`Your edits are now “${made.name}”.`);
        take();
      },
      onError: (error) => toast.error(`The copy was not made: ${error.message}`),
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="This pipeline was changed elsewhere"
      description={
        <>
          {theirs.updatedBy ?? 'Someone'} saved revision {theirs.revision} <Ago at={theirs.updatedAt} />. Your edits are
          not on the server yet.
        </>
      }
      actions={
        <>
          <Button onClick={take}>Take theirs</Button>
          <Button disabled={copy.isPending} onClick={() => copy.mutate({ name: `${name} (my edits)`, document: mine })}>
            Save mine as a copy
          </Button>
          <Button
            tone="primary"
            onClick={() => {
              autosave.keepMine(theirs);
              onClose();
            }}
          >
            Keep mine
          </Button>
        </>
      }
    >
      <h3 className="mb-1 text-xs text-dim">From theirs to yours</h3>
      <DiffList before={theirs.document} after={mine} />
      <p className="mt-3 text-xs text-dim">
        “Keep mine” writes a new revision over theirs. After “Take theirs”, undo brings yours back.
      </p>
    </Dialog>
  );
}
