import Link from 'next/link';
import type { TrialOutcome } from '@/server/core/run/trial';

type Cause = NonNullable<TrialOutcome['cause']>;

/** Opens the builder at the node, and the field, that a cause or a row names. */
export const nodeHref = (pipelineId: string, nodeId: string, field: string | null): string => {
  const query = new URLSearchParams({ node: nodeId, ...(field ? { field } : {}) });
  return `/pipelines/${pipelineId}?${query}`;
};

/** Why something failed: what, where, and the way to the place to change. */
export function CauseView({ cause, pipelineId }: { cause: Cause; pipelineId: string | null }) {
  return (
    <div className="grid gap-1">
      <p>
        {cause.message} <span className="mono text-faint">{cause.code}</span>
      </p>
      {cause.nodeId && pipelineId ? (
        <p>
          <Link
            href={nodeHref(pipelineId, cause.nodeId, cause.field)}
            className="text-accent underline-offset-2 hover:underline"
          >
            Change {cause.field ? `“${cause.field}” of ` : ''}node {cause.nodeId}
          </Link>
        </p>
      ) : null}
      {cause.logTail.length > 0 ? (
        <details>
          <summary className="cursor-pointer text-dim">Last lines of the engine's log</summary>
          <pre className="mt-1 max-h-56 overflow-auto rounded-md border bg-bg p-2 whitespace-pre-wrap">
            {cause.logTail.join('\n')}
          </pre>
        </details>
      ) : null}
    </div>
  );
}
