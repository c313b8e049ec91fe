import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';

export interface TabItem<T extends string> {
  value: T;
  label: ReactNode;
}

interface TabsProps<T extends string> {
  value: T;
  onValueChange: (value: T) => void;
  className?: string;
  children: ReactNode;
}

/** Controlled tabs; keep `value` in the URL. */
export function Tabs<T extends string>({ value, onValueChange, className, children }: TabsProps<T>) {
  return (
    <Primitive.Root value={value} onValueChange={(next) => onValueChange(next as T)} className={className}>
      {children}
    </Primitive.Root>
  );
}

export function TabList<T extends string>({
  label,
  items,
  className,
}: {
  label: string;
  items: readonly TabItem<T>[];
  className?: string;
}) {
  return (
    <Primitive.List aria-label={label} className={cn('flex gap-0.5 overflow-x-auto p-0.5', className)}>
      {items.map((item) => (
        <Primitive.Trigger
          key={item.value}
          value={item.value}
          className="rounded-md px-2.5 py-1 whitespace-nowrap text-dim hover:text-ink data-[state=active]:bg-grid data-[state=active]:text-ink"
        >
          {item.label}
        </Primitive.Trigger>
      ))}
    </Primitive.List>
  );
}

export const TabPanel = Primitive.Content;
