'use client';

import { useQueryClient } from '@tanstack/react-query';
import { FileOutput, Play, Redo2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { RenameDialog } from '@/app/_pipelines/rename-dialog';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { TabList } from '@/app/_ui/tabs';
import { Tooltip } from '@/app/_ui/tooltip';
import type { Compiled } from '@/server/core/compile/compiled';
import { useBuilder, useUi } from './builder-context';
import { useCommands } from './commands-context';
import { SaveState } from './save/save-state';
import type { Autosave } from './save/use-autosave';
import type { BuilderTab } from './tabs';

interface BuilderHeaderProps {
  stored: ApiOutputs['pipelines']['get'];
  autosave: Autosave;
  canEdit: boolean;
  starting: boolean;
}

export function BuilderHeader({ stored, autosave, canEdit, starting }: BuilderHeaderProps) {
  const { run } = useCommands();
  const plans = useUi((state) => state.compiled?.plans.length);
  const items: { value: BuilderTab; label: React.ReactNode }[] = [
    { value: 'graph', label: 'Graph' },
    { value: 'form', label: 'Form' },
    { value: 'plans', label: plans === undefined ? 'Plans' : `Plans ${plans}` },
    { value: 'history', label: 'History' },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-panel px-3 py-1.5">
      <div className="flex min-w-0 flex-1 items-center gap-2 max-sm:w-full max-sm:flex-none">
        <PipelineName stored={stored} canEdit={canEdit} />
        <SaveState state={autosave.state} canEdit={canEdit} onRetry={() => void autosave.flush()} />
      </div>
      <TabList label="Views of the pipeline" items={items} className="order-last max-lg:w-full lg:order-none" />
      <div className="flex flex-1 items-center justify-end gap-1.5">
        <UndoButtons />
        <Button onClick={() => run('export')}>
          <FileOutput aria-hidden /> <span className="max-sm:sr-only">Export</span>
        </Button>
        <RunButton canEdit={canEdit} starting={starting} />
      </div>
    </div>
  );
}

function PipelineName({ stored, canEdit }: { stored: BuilderHeaderProps['stored']; canEdit: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <h1 className="min-w-0">
        <button
          type="button"
          title={canEdit ? 'Rename' : undefined}
          disabled={!canEdit}
          onClick={() => setRenaming(true)}
          className="block max-w-64 truncate rounded-sm font-medium hover:enabled:underline"
        >
          {stored.name}
        </button>
      </h1>
      {renaming ? (
        <RenameDialog
          pipeline={stored}
          onClose={() => setRenaming(false)}
          onRenamed={() => queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() })}
        />
      ) : null}
    </>
  );
}

function UndoButtons() {
  const { document } = useBuilder();
  const { run } = useCommands();
  const madeBy = useStore(document.store, (state) => state.madeBy);
  const canUndo = useStore(document.store.temporal, (state) => state.pastStates.length > 0);
  const redoable = useStore(document.store.temporal, (state) => state.futureStates.at(-1));
  return (
    <>
      <Tooltip content={`Undo${canUndo && madeBy ? `: ${madeBy.toLowerCase()}` : ''} (Ctrl Z)`}>
        <Button tone="quiet" size="icon" aria-label="Undo" disabled={!canUndo} onClick={() => run('undo')}>
          <Undo2 aria-hidden />
        </Button>
      </Tooltip>
      <Tooltip content={`Redo${redoable?.madeBy ? `: ${redoable.madeBy.toLowerCase()}` : ''} (Ctrl Shift Z)`}>
        <Button tone="quiet" size="icon" aria-label="Redo" disabled={!redoable} onClick={() => run('redo')}>
          <Redo2 aria-hidden />
        </Button>
      </Tooltip>
    </>
  );
}

interface RunView {
  label: string;
  /** Why the run cannot start; null where it can. */
  blocked: string | null;
}

const count = (n: number, noun: string): string => `${n} ${n === 1 ? noun : `${noun}s`}`;

function blockedBy(errors: number, plans: number, canEdit: boolean): string | null {
  if (!canEdit) return 'Your role may look, not run.';
  if (errors > 0) return `${count(errors, 'error')} ${errors === 1 ? 'blocks' : 'block'} the run. See the problems.`;
  return plans === 0 ? 'The graph makes no plan yet.' : null;
}

function runView(compiled: Compiled | null, canEdit: boolean): RunView {
  if (!compiled) return { label: 'Run', blocked: 'The graph is being compiled.' };
  const { plans, findings, protocol } = compiled;
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  return {
    label: `Run ${count(plans.length, 'plan')} · ${count(protocol.blocks, 'block')}`,
    blocked: blockedBy(errors, plans.length, canEdit),
  };
}

/** `Run 5 plans · 3 blocks`; errors block it and say so. */
function RunButton({ canEdit, starting }: { canEdit: boolean; starting: boolean }) {
  const { run } = useCommands();
  const compiled = useUi((state) => state.compiled);
  const { label, blocked } = runView(compiled, canEdit);
  return (
    <Tooltip content={blocked ?? 'Runs every plan against the baseline'}>
      <Button
        tone="primary"
        aria-disabled={blocked !== null || starting}
        onClick={() => {
          if (blocked === null && !starting) run('run');
        }}
      >
        <Play aria-hidden /> {starting ? 'Starting…' : label}
        <Kbd keys="Ctrl ↵" className="border-current text-inherit max-sm:hidden" />
      </Button>
    </Tooltip>
  );
}
