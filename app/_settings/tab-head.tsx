import type { ReactNode } from 'react';

/** A tab's own sentence, and what one can do there. */
export function TabHead({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <p className="max-w-prose text-dim">{children}</p>
      {actions}
    </div>
  );
}
