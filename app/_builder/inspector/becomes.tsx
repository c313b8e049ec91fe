'use client';

import { useUi } from '../builder-context';
import { flagLines } from './param-flags';

/** The arguments that the whole node became, by engine. */
export function Becomes({ nodeId }: { nodeId: string }) {
  const compiled = useUi((state) => state.compiled);
  const lines = flagLines(compiled, nodeId);
  if (lines.length === 0) return null;
  const engines = [...new Set(lines.map((line) => line.engine))];
  return (
    <section aria-label="Becomes" className="grid gap-1">
      <h3 className="text-xs text-dim">Becomes</h3>
      {engines.map((engine) => (
        <div key={engine} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
          <ul className="rounded-md bg-grid px-2 py-1">
            {lines
              .filter((line) => line.engine === engine)
              .map((line) => (
                <li key={line.text} className="break-words">
                  <code className="break-all">{line.text}</code>{' '}
                  <span className="text-xs text-dim">
                    {[line.isDefault ? 'the same as the default' : null, line.note].filter(Boolean).join(' · ')}
                  </span>
                </li>
              ))}
          </ul>
          <p className="text-xs text-dim">{engine}</p>
        </div>
      ))}
    </section>
  );
}
