import { cn } from '@/app/_ui/cn';
import type { ChangeText } from '@/app/_ui/format';

const TONE = { better: 'text-better', worse: 'text-worse', none: 'text-faint' } as const;

/** A change against the baseline: colour only with a verdict, and the verdict in words beside it for all readers. */
export function ChangeFigure({ change }: { change: ChangeText }) {
  if (change.text === '') return null;
  const same = change.word === 'no significant difference';
  return (
    <span className={cn('mono whitespace-nowrap', TONE[change.tone])} title={change.word}>
      {change.text}
      {same ? <span aria-hidden> n.s.</span> : null}
      <span className="sr-only"> {change.word}</span>
    </span>
  );
}
