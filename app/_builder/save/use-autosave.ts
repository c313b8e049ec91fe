'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC, useTRPCClient } from '@/app/_trpc/api';
import { isOffline } from '@/app/_trpc/client';
import type { Pipeline } from '@/server/core/pipeline/document';
import { importDocument } from '../actions/import-document';
import { useBuilder } from '../builder-context';
import { type Autosaver, createAutosaver, type SaveOutcome, type SaveState, type Theirs } from './autosaver';
import { clearRecovery, writeRecovery } from './recovery';

type Stored = ApiOutputs['pipelines']['get'];

const DELAY_MS = 700;
const RETRY_MS = 4000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The server's answer, or the reason why there is none. */
function useSave(id: string): (document: Pipeline, revision: number) => Promise<SaveOutcome> {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  return useCallback(
    async (document, revision) => {
      try {
        const answer = await client.pipelines.save.mutate({ id, revision, document });
        if (!answer.saved) return { kind: 'conflict', theirs: answer.theirs };
        const { revision: saved, updatedAt } = answer;
        // Whoever opens this pipeline again in this tab gets what was saved, not what was first loaded.
        queryClient.setQueryData(trpc.pipelines.get.queryKey({ id }), (old) =>
          old ? { ...old, document, revision: saved, updatedAt } : old,
        );
        return { kind: 'saved', revision: saved, at: updatedAt };
      } catch (error) {
        return isOffline(error) ? { kind: 'offline' } : { kind: 'refused', message: messageOf(error) };
      }
    },
    [client, id, queryClient, trpc],
  );
}

export interface Autosave {
  state: SaveState;
  /** True once all edits are on the server. */
  flush(): Promise<boolean>;
  keepMine(theirs: Theirs): void;
  takeTheirs(theirs: Theirs): void;
  revision(): number;
}

/** Keeps the server's copy in step with the document, and a copy in this browser until it is. */
export function useAutosave(stored: Stored, canEdit: boolean): Autosave {
  const { document, ui } = useBuilder();
  const save = useSave(stored.id);
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: stored.updatedAt });
  // One autosaver for the life of the page: later answers of the server reach it through `useFollow`.
  const [saver] = useState<Autosaver>(() =>
    createAutosaver({
      revision: stored.revision,
      savedAt: stored.updatedAt,
      save,
      onState: setState,
      delayMs: DELAY_MS,
      retryMs: RETRY_MS,
    }),
  );
  const wrote = useRef(false);
  useEffect(() => {
    // Only a copy of this tab's own edits: another tab may have died with unsaved ones of its own.
    if (state.kind === 'saved' && !saver.hasUnsaved() && wrote.current) {
      clearRecovery(localStorage, stored.id);
      wrote.current = false;
    }
    if (state.kind === 'conflict') ui.setState({ dialog: 'conflict' });
  }, [state, saver, stored.id, ui]);
  useWatchEdits(saver, stored.id, canEdit, wrote);
  useLeaveWarning(saver);
  useFollow(saver, stored, setState);

  return useMemo(
    () => ({
      state,
      flush: saver.flush,
      revision: saver.revision,
      keepMine: (theirs) => saver.resolve(theirs.revision, document.store.getState().pipeline),
      takeTheirs: (theirs) => {
        saver.resolve(theirs.revision, null);
        fromServer.add(theirs.document);
        document.dispatch(importDocument, { document: theirs.document });
      },
    }),
    [state, saver, document],
  );
}

/** Documents that came from the server: putting one in place is no edit to save. */
const fromServer = new WeakSet<Pipeline>();

function useWatchEdits(saver: Autosaver, pipelineId: string, canEdit: boolean, wrote: RefObject<boolean>): void {
  const { document } = useBuilder();
  useEffect(() => {
    if (!canEdit) return;
    let last = document.store.getState().pipeline;
    let warned = false;
    return document.store.subscribe(({ pipeline }) => {
      if (pipeline === last) return;
      last = pipeline;
      if (fromServer.delete(pipeline)) return;
      saver.edit(pipeline);
      const kept = writeRecovery(localStorage, pipelineId, saver.revision(), pipeline, new Date());
      wrote.current ||= kept;
      if (!kept && !warned) {
        warned = true;
        toast.warning("This browser's storage is full: there is no local copy of edits that are not saved yet.");
      }
    });
  }, [document, saver, pipelineId, canEdit, wrote]);
}

/** Saves when the connection comes back or the tab goes away, and asks before edits would be lost. */
function useLeaveWarning(saver: Autosaver): void {
  useEffect(() => {
    const online = () => void saver.flush();
    const hidden = () => {
      if (window.document.visibilityState === 'hidden' && saver.hasUnsaved()) void saver.flush();
    };
    const leave = (event: BeforeUnloadEvent) => {
      if (saver.hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', leave);
    window.document.addEventListener('visibilitychange', hidden);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', leave);
      window.document.removeEventListener('visibilitychange', hidden);
      void saver.flush();
      saver.dispose();
    };
  }, [saver]);
}

/** A newer revision from elsewhere replaces the document where nothing of ours waits; otherwise the next save finds out. */
function useFollow(saver: Autosaver, stored: Stored, setState: (state: SaveState) => void): void {
  const { document } = useBuilder();
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  useEffect(() => {
    if (stored.revision <= saver.revision() || saver.hasUnsaved()) return;
    saver.resolve(stored.revision, null);
    fromServer.add(stored.document);
    document.dispatch(importDocument, { document: stored.document });
    setState({ kind: 'saved', at: stored.updatedAt });
    void queryClient.invalidateQueries({ queryKey: trpc.pipelines.versions.pathKey() });
  }, [stored, saver, document, setState, queryClient, trpc]);
}
