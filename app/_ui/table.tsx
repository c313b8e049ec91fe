import type { ComponentProps } from 'react';
import { cn } from './cn';
import { ScrollRegion } from './scroll-region';

/** Scrolls sideways inside its own box, so that a phone's page never does. The box can be reached by keyboard. */
export function Table({ className, label, ...rest }: ComponentProps<'table'> & { label: string }) {
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto rounded-md border bg-panel">
      <table className={cn('w-full border-collapse text-sm', className)} {...rest} />
    </ScrollRegion>
  );
}

export const Thead = ({ className, ...rest }: ComponentProps<'thead'>) => (
  <thead className={cn('border-b', className)} {...rest} />
);
export const Tbody = (props: ComponentProps<'tbody'>) => <tbody {...props} />;

export const Tr = ({ className, ...rest }: ComponentProps<'tr'>) => (
  <tr className={cn('border-b last:border-b-0', className)} {...rest} />
);

export const Th = ({ className, scope = 'col', ...rest }: ComponentProps<'th'>) => (
  <th
    scope={scope}
    className={cn('px-3 py-1.5 text-left text-xs font-normal whitespace-nowrap text-dim', className)}
    {...rest}
  />
);

export const Td = ({ className, ...rest }: ComponentProps<'td'>) => (
  <td className={cn('px-3 py-1.5 align-middle', className)} {...rest} />
);

/** A cell with a figure: mono, right-aligned. */
export const NumberTd = ({ className, ...rest }: ComponentProps<'td'>) => (
  <Td className={cn('mono text-right whitespace-nowrap', className)} {...rest} />
);
