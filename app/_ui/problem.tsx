import type { ReactNode } from 'react';

/** A failed request or a refused action, in place: what happened and what to do. */
export function Problem({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div
      role="alert"
      className="grid gap-1 rounded-md border border-l-3 border-line-strong border-l-error bg-panel px-3 py-2"
    >
      <p>{title}</p>
      {children ? <div className="text-dim">{children}</div> : null}
      {actions ? <div className="mt-1 flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
