'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { Select } from '@/app/_ui/select';
import type { Pipeline } from '@/server/core/pipeline/document';
import { importDocument } from '../actions/import-document';
import { useBuilder, useDocument } from '../builder-context';
import { DiffCanvas } from './diff-canvas';
import { DiffList } from './diff-list';
import { SaveVersionForm, useSaveVersion } from './save-version-form';

type Version = ApiOutputs['pipelines']['versions'][number];
const NOW = 'now';

interface HistoryViewProps {
  pipelineId: string;
  flush: () => Promise<boolean>;
  canEdit: boolean;
}

/** Versions with name, author and time; the difference of any two; restore makes a new revision. */
export function HistoryView({ pipelineId, flush, canEdit }: HistoryViewProps) {
  const trpc = useTRPC();
  const versions = useQuery(trpc.pipelines.versions.queryOptions({ id: pipelineId }));
  const saveVersion = useSaveVersion(pipelineId, flush);
  const [picked, setPicked] = useState<{ before: string | null; after: string }>({ before: null, after: NOW });
  if (versions.isPending) return <Loading what="the versions" />;
  if (versions.isError) {
    return (
      <div className="p-4">
        <Problem title="The versions could not be loaded.">{versions.error.message}</Problem>
      </div>
    );
  }
  const list = versions.data;
  const before = picked.before ?? list[0]?.id ?? null;
  return (
    <div className="mx-auto grid max-w-6xl gap-4 p-4 lg:grid-cols-[320px_minmax(0,1fr)]">
      <section aria-label="Versions" className="grid content-start gap-3">
        {canEdit ? <SaveVersionForm pipelineId={pipelineId} flush={flush} /> : null}
        {list.length === 0 ? (
          <EmptyState title="No versions yet">
            Every edit is saved on its own. A version is a state that you can name, compare and come back to.
          </EmptyState>
        ) : (
          <ul className="grid gap-1.5">
            {list.map((version) => (
              <VersionItem
                key={version.id}
                version={version}
                compared={before === version.id}
                canEdit={canEdit}
                onCompare={() => setPicked({ before: version.id, after: NOW })}
                onRestored={() => void saveVersion(`Restored from v${version.number}`)}
              />
            ))}
          </ul>
        )}
      </section>
      {before ? <Compare versions={list} before={before} after={picked.after} onPick={setPicked} /> : null}
    </div>
  );
}

interface VersionItemProps {
  version: Version;
  compared: boolean;
  canEdit: boolean;
  onCompare: () => void;
  onRestored: () => void;
}

function VersionItem({ version, compared, canEdit, onCompare, onRestored }: VersionItemProps) {
  const { document } = useBuilder();
  const restore = () => {
    if (document.dispatch(importDocument, { document: version.document })) {
      toast.success(`Version ${version.number} is back. Undo takes it away again.`);
      onRestored();
    } else toast('The document is this version already.');
  };
  return (
    <li className={`grid gap-1 rounded-md border bg-panel px-3 py-2 ${compared ? 'border-accent' : ''}`}>
      <p className="flex items-baseline gap-2">
        <span className="mono text-dim">v{version.number}</span>
        <span className="min-w-0 truncate font-medium">{version.name ?? 'unnamed'}</span>
      </p>
      <p className="text-xs text-dim">
        {version.createdBy ?? 'unknown'} · <Ago at={version.createdAt} /> · {version.document.nodes.length} nodes
      </p>
      <p className="flex gap-2">
        <Button size="sm" onClick={onCompare} aria-pressed={compared}>
          Compare
        </Button>
        {canEdit ? (
          <Button size="sm" onClick={restore}>
            Restore
          </Button>
        ) : null}
      </p>
    </li>
  );
}

interface CompareProps {
  versions: readonly Version[];
  before: string;
  after: string;
  onPick: (picked: { before: string; after: string }) => void;
}

function Compare({ versions, before, after, onPick }: CompareProps) {
  const now = useDocument((state) => state.pipeline);
  const documentOf = (id: string): Pipeline => versions.find((version) => version.id === id)?.document ?? now;
  const options = [
    { value: NOW, label: 'the document now' },
    ...versions.map((version) => ({
      value: version.id,
      label: `v${version.number}${version.name ? ` · ${version.name}` : ''}`,
    })),
  ];
  return (
    <section aria-label="Difference" className="grid content-start gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="From"
          className="w-44"
          value={before}
          options={options}
          onValueChange={(value) => onPick({ before: value, after })}
        />
        →
        <Select
          aria-label="To"
          className="w-44"
          value={after}
          options={options}
          onValueChange={(value) => onPick({ before, after: value })}
        />
      </div>
      <DiffCanvas before={documentOf(before)} after={documentOf(after)} />
      <DiffList before={documentOf(before)} after={documentOf(after)} />
    </section>
  );
}
