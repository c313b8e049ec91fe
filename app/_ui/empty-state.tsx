import type { ReactNode } from 'react';

/** Says what would stand here and what to do next. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <section className="grid justify-items-center gap-2 rounded-md border border-dashed border-line-strong px-4 py-12 text-center">
      <h2 className="text-base">{title}</h2>
      {children ? <div className="max-w-prose text-dim">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </section>
  );
}
