import { cn } from './cn';

/** A key or chord, e.g. `Ctrl Enter`. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <kbd className={cn('rounded-sm border border-line-strong px-1 text-[11px] leading-4 text-dim', className)}>
      {keys}
    </kbd>
  );
}
