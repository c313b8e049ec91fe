'use client';

import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import type { Finding } from '@/server/core/plan/finding';
import { FindingItem } from '../problems/finding-item';

/** Why a run did not start: the errors, each with its place and its fix. */
export function RefusedDialog({ findings, onClose }: { findings: readonly Finding[] | null; onClose: () => void }) {
  if (!findings) return null;
  const errors = findings.filter((finding) => finding.severity === 'error');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Nothing was run"
      description="These errors have to be mended first."
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {/* A click on a place or a fix leads back to the graph. */}
      <ul onClickCapture={(event) => event.target instanceof HTMLButtonElement && setTimeout(onClose, 0)}>
        {errors.map((finding) => (
          <li key={`${finding.code} ${finding.nodeId} ${finding.field} ${finding.message}`}>
            <FindingItem finding={finding} compact />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
