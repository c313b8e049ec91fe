'use client';

import { useEffect, useState } from 'react';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { importDocument } from '../actions/import-document';
import { useBuilder } from '../builder-context';
import { DiffList } from '../history/diff-list';
import { clearRecovery, type Recovery, readRecovery } from './recovery';

/** Edits of an earlier visit that never reached the server: offered once when the page opens. */
export function RecoveryDialog({ pipelineId }: { pipelineId: string }) {
  const { document } = useBuilder();
  const [found, setFound] = useState<Recovery | null>(null);
  useEffect(() => {
    const recovery = readRecovery(localStorage, pipelineId);
    if (!recovery) return;
    const stored = document.store.getState().pipeline;
    if (JSON.stringify(recovery.document) === JSON.stringify(stored)) clearRecovery(localStorage, pipelineId);
    else setFound(recovery);
  }, [document, pipelineId]);
  if (!found) return null;
  const discard = () => {
    clearRecovery(localStorage, pipelineId);
    setFound(null);
  };
  const restore = () => {
    setFound(null);
    document.dispatch(importDocument, { document: found.document });
  };
  return (
    // It wants an answer: closed without one, the next edit would overwrite the copy.
    <Dialog
      open
      title="Edits that were not saved"
      description={
        <>
          This browser holds edits from <Ago at={found.at} /> that did not reach the server.
        </>
      }
      actions={
        <>
          <Button tone="danger" onClick={discard}>
            Discard them
          </Button>
          <Button tone="primary" onClick={restore}>
            Bring them back
          </Button>
        </>
      }
    >
      <h3 className="mb-1 text-xs text-dim">From the saved pipeline to your edits</h3>
      <DiffList before={document.store.getState().pipeline} after={found.document} />
    </Dialog>
  );
}
