'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { TabPanel, Tabs } from '@/app/_ui/tabs';
import { BuilderHeader } from './builder-header';
import { CommandsProvider } from './commands-context';
import { ExportDialog } from './export/export-dialog';
import { FormView } from './form/form-view';
import { GraphView } from './graph-view';
import { HistoryView } from './history/history-view';
import { useSaveVersion } from './history/save-version-form';
import { KeysDialog } from './keys-dialog';
import { CommandPalette } from './palette/command-palette';
import { NodeSearch } from './palette/node-search';
import { PlansView } from './plans/plans-view';
import { BottomStrip } from './problems/bottom-strip';
import { RefusedDialog } from './run/refused-dialog';
import { RunStates } from './run/run-states';
import { useRun } from './run/use-run';
import { ConflictDialog } from './save/conflict-dialog';
import { RecoveryDialog } from './save/recovery-dialog';
import { useAutosave } from './save/use-autosave';
import { BUILDER_TABS } from './tabs';
import { useCommandHandlers } from './use-command-handlers';
import { useCompiler } from './use-compiler';
import { useHotkeys } from './use-hotkeys';
import { useNodeLink } from './use-node-link';

/** A key was pressed whose button is not offered to a viewer. */
const sayViewOnly = () => void toast('Your role may look, not edit or run.');

/** The builder around its document: header, the four views of it, and the dialogs. */
export function BuilderFrame({ stored }: { stored: ApiOutputs['pipelines']['get'] }) {
  const trpc = useTRPC();
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const canEdit = me.data?.role !== 'viewer';
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(BUILDER_TABS).withDefault('graph'));
  const autosave = useAutosave(stored, canEdit);
  const saveVersion = useSaveVersion(stored.id, autosave.flush);
  const run = useRun(stored.id, autosave);
  const commands = useCommandHandlers({
    run: canEdit ? run.start : sayViewOnly,
    saveVersion: canEdit ? () => void saveVersion(null) : sayViewOnly,
    showGraph: () => {
      if (tab !== 'form') void setTab('graph');
    },
  });
  useCompiler();
  useHotkeys(commands.run, tab === 'graph');
  useNodeLink();
  const panel = 'min-h-0 flex-1 overflow-auto outline-none';
  return (
    <CommandsProvider value={commands}>
      <Tabs value={tab} onValueChange={(next) => void setTab(next)} className="flex h-full flex-col">
        <BuilderHeader stored={stored} autosave={autosave} canEdit={canEdit} starting={run.starting} />
        <TabPanel value="graph" className="flex min-h-0 flex-1 flex-col outline-none" tabIndex={-1}>
          <GraphView />
          <BottomStrip />
        </TabPanel>
        <TabPanel value="form" className={panel} tabIndex={-1}>
          <FormView />
        </TabPanel>
        <TabPanel value="plans" className={panel} tabIndex={-1}>
          <PlansView onShowNode={() => void setTab('graph')} />
        </TabPanel>
        <TabPanel value="history" className={panel} tabIndex={-1}>
          <HistoryView pipelineId={stored.id} flush={autosave.flush} canEdit={canEdit} />
        </TabPanel>
      </Tabs>
      <RunStates pipelineId={stored.id} />
      <NodeSearch />
      <CommandPalette />
      <KeysDialog />
      <ExportDialog />
      <ConflictDialog name={stored.name} autosave={autosave} />
      <RecoveryDialog pipelineId={stored.id} />
      <RefusedDialog findings={run.refused} onClose={run.dismiss} />
    </CommandsProvider>
  );
}
