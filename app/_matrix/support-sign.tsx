import { Check, type LucideIcon, Minus, TriangleAlert, X } from 'lucide-react';
import { cn } from '@/app/_ui/cn';
import type { CellState } from './filter-matrix';

const SIGNS: Readonly<Record<CellState, { icon: LucideIcon; word: string; className: string }>> = {
  yes: { icon: Check, word: 'Works', className: 'text-ok' },
  partly: { icon: TriangleAlert, word: 'In part, or with a condition', className: 'text-warn' },
  no: { icon: X, word: 'Refused', className: 'text-faint' },
  absent: { icon: Minus, word: 'Engine does not run there', className: 'text-faint' },
};

export const supportWord = (state: CellState): string => SIGNS[state].word;

/** The sign alone, for a reader of signs; the word stands beside it or in the label of what holds it. */
export function SupportIcon({ state }: { state: CellState }) {
  const { icon: Icon, className } = SIGNS[state];
  return <Icon aria-hidden className={cn('size-4 shrink-0', className)} />;
}

export function SupportSign({ state }: { state: CellState }) {
  return (
    <span className="inline-flex items-center gap-1">
      <SupportIcon state={state} />
      {supportWord(state)}
    </span>
  );
}
