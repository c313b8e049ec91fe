import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

interface MenuProps {
  /** One focusable element, e.g. a Button. */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}

/** A menu behind a button; arrow keys, typing and Escape work. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-md border border-line-strong bg-panel p-1 shadow-float"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type MenuItemProps = ComponentProps<typeof Primitive.Item> & { danger?: boolean };

export function MenuItem({ className, danger = false, ...rest }: MenuItemProps) {
  return (
    <Primitive.Item
      className={cn(
        'flex cursor-default items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-grid [&_svg]:size-3.5',
        danger && 'text-error',
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 py-1 text-xs text-faint">{children}</Primitive.Label>;
}

export const MenuSeparator = () => <Primitive.Separator className="my-1 h-px bg-line" />;
