import type { ComponentProps } from 'react';
import { cn } from './cn';

export const fieldStyle =
  'h-7 w-full min-w-0 rounded-md border border-line-strong bg-panel px-2 text-sm text-ink disabled:opacity-50 aria-invalid:border-error';

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(fieldStyle, 'read-only:bg-grid', className)} {...rest} />;
}
