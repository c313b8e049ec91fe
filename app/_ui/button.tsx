import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const buttonStyle = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        plain: 'border-line-strong bg-panel text-ink hover:bg-grid',
        primary: 'border-accent bg-accent text-accent-ink hover:opacity-90',
        quiet: 'border-transparent text-dim hover:bg-grid hover:text-ink',
        danger: 'border-error text-error hover:bg-error-soft',
        link: 'h-auto border-transparent p-0 text-accent underline-offset-2 hover:underline',
      },
      size: { sm: 'h-6 px-2 text-xs', md: 'h-7 px-2.5', lg: 'h-9 px-4', icon: 'size-7 p-0' },
    },
    compoundVariants: [{ tone: 'link', className: 'h-auto px-0' }],
    defaultVariants: { tone: 'plain', size: 'md' },
  },
);

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonStyle> & { asChild?: boolean };

/** `asChild` gives the looks to a link. */
export function Button({ className, tone, size, asChild = false, type, ...rest }: ButtonProps) {
  const Tag = asChild ? Slot.Root : 'button';
  return (
    <Tag
      type={asChild ? undefined : (type ?? 'button')}
      className={cn(buttonStyle({ tone, size }), className)}
      {...rest}
    />
  );
}
