import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const badgeStyle = cva('inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-1.5 text-2xs', {
  variants: {
    tone: {
      neutral: 'border-line-strong text-dim',
      accent: 'border-accent bg-accent-soft text-accent',
      ok: 'border-ok text-ok',
      warn: 'border-warn-line text-warn',
      error: 'border-error text-error',
      better: 'border-better text-better',
      worse: 'border-worse text-worse',
    },
  },
  defaultVariants: { tone: 'neutral' },
});

export type BadgeTone = NonNullable<VariantProps<typeof badgeStyle>['tone']>;

export function Badge({ className, tone, ...rest }: ComponentProps<'span'> & VariantProps<typeof badgeStyle>) {
  return <span className={cn(badgeStyle({ tone }), className)} {...rest} />;
}
