'use client';

import { OctagonX, TriangleAlert } from 'lucide-react';
import { useUi } from '../builder-context';

/** Count of the node's errors, or of its warnings where it has no error. */
export function FindingBadge({ nodeId }: { nodeId: string }) {
  const findings = useUi((state) => state.findingsByNode.get(nodeId));
  const errors = findings?.filter((finding) => finding.severity === 'error').length ?? 0;
  const warnings = findings?.filter((finding) => finding.severity === 'warning').length ?? 0;
  if (errors === 0 && warnings === 0) return null;
  const isError = errors > 0;
  const Icon = isError ? OctagonX : TriangleAlert;
  return (
    <span
      role="img"
      aria-label={isError ? `${errors} errors` : `${warnings} warnings`}
      title={findings?.map((finding) => finding.message).join('\n')}
      className={`mono flex items-center gap-0.5 text-[11px] ${isError ? 'text-error' : 'text-warn'}`}
    >
      <Icon aria-hidden className="size-3" />
      {isError ? errors : warnings}
    </span>
  );
}
