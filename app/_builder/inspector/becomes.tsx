'use client';

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
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {lines.map((line) => (
          <li key={`${line.engine} ${line.text}`}>
            <code className="block rounded-md bg-grid px-2 py-1 break-all">{line.text}</code>
            <p className="text-xs text-dim">
              {line.engine}
              {line.isDefault ? ' · the same as its default' : ''}
              {line.note ? ` · ${line.note}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
