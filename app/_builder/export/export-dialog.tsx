'use client';

import { Dialog } from '@/app/_ui/dialog';
import { useBuilder, useUi } from '../builder-context';
import { ExportPanel } from './export-panel';

/** Files made from the graph: manifests of each plan, and the pipeline itself. */
export function ExportDialog() {
  const { ui } = useBuilder();
  const open = useUi((state) => state.dialog === 'export');
  return (
    <Dialog open={open} onOpenChange={() => ui.setState({ dialog: null })} title="Export" className="max-w-4xl">
      {open ? <ExportPanel /> : null}
    </Dialog>
  );
}
