import type { ReactNode } from 'react';
import { TERMS, type TermName } from './terms';
import { Tooltip } from './tooltip';

/** A term of the field with its definition on hover and focus. */
export function Term({ name, children }: { name: TermName; children?: ReactNode }) {
  return (
    <Tooltip content={TERMS[name]}>
      <button type="button" className="cursor-help! underline decoration-faint decoration-dotted underline-offset-3">
        {children ?? name}
      </button>
    </Tooltip>
  );
}
