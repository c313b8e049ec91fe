import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { fieldStyle } from './input';

export interface SelectOption {
  value: string;
  label: string;
}

type SelectProps = Omit<ComponentProps<'select'>, 'onChange'> & {
  options: readonly SelectOption[];
  onValueChange: (value: string) => void;
};

/** The browser's own select: the accessible one, and a native wheel on a phone. */
export function Select({ className, options, onValueChange, ...rest }: SelectProps) {
  return (
    <span className={cn('relative block', className)}>
      <select
        className={cn(fieldStyle, 'appearance-none pr-7')}
        onChange={(event) => onValueChange(event.target.value)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1.5 right-2 size-4 text-faint" />
    </span>
  );
}
