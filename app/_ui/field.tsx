import { type ReactNode, useId } from 'react';
import { cn } from './cn';

interface FieldProps {
  label: ReactNode;
  /** Small text at the right of the label: a unit or a kind. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  className?: string;
  /** Gets the ids that tie label, hint and error to the control. */
  children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** A labelled form control with hint and error. */
export function Field({ label, aside, hint, error, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={cn('grid gap-1', className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id}>{label}</label>
        {aside ? <span className="mono text-faint">{aside}</span> : null}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-dim">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-xs text-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
