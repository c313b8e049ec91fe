'use client';

import dynamic from 'next/dynamic';
import { Dialog } from '@/app/_ui/dialog';
import { Loading } from '@/app/_ui/loading';
import { useBuilder, useUi } from '../builder-context';

/** Exporters are loaded when first needed. */
const ExportPanel = dynamic(() => import('./export-panel').then((module) => module.ExportPanel), {
  loading: () => <Loading what="the exporters" />,
});

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
