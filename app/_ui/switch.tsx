import { Switch as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Switch({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'inline-flex h-4 w-7 shrink-0 items-center rounded-full border border-line-strong bg-grid p-px transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      <Primitive.Thumb className="block size-3 rounded-full bg-dim transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-accent-ink" />
    </Primitive.Root>
  );
}
