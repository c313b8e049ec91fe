'use client';

import { Fragment } from 'react';
import { useUi } from '../builder-context';
import { flagLines } from './param-flags';

/** The arguments that the whole node became, by engine. */
export function Becomes({ nodeId }: { nodeId: string }) {
  const compiled = useUi((state) => state.compiled);
  const lines = flagLines(compiled, nodeId);
  if (lines.length === 0) return null;
  return (
    <section aria-label="Becomes" className="grid gap-1">
      <h3 className="text-xs text-dim">Becomes</h3>
      <dl className="grid gap-1">
        {lines.map((line) => (
          <Fragment key={`${line.engine} ${line.text}`}>
            <dd className="mono rounded-md bg-grid px-2 py-1 break-all">{line.text}</dd>
            <dt className="order-last -mt-0.5 text-xs text-dim">
              {line.engine}
              {line.isDefault ? ' · the same as its default' : ''}
              {line.note ? ` · ${line.note}` : ''}
            </dt>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
