import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { ScrollRegion } from './scroll-region';

interface DialogProps {
  open: boolean;
  /** Absent: there is no way out but through the actions. */
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Buttons at the bottom right. */
  actions?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/** A modal window: focus is kept inside and given back, Escape closes. */
export function Dialog({ open, onOpenChange, title, description, actions, className, children }: DialogProps) {
  return (
    <Primitive.Root open={open} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)] data-[state=open]:animate-in data-[state=open]:fade-in" />
        <Primitive.Content
          className={cn(
            'fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-24px)] max-w-lg -translate-x-1/2 flex-col rounded-md border border-line-strong bg-panel shadow-float data-[state=open]:animate-in data-[state=open]:fade-in',
            className,
          )}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="flex items-start justify-between gap-4 px-4 pt-3">
            <Primitive.Title className="text-base font-medium">{title}</Primitive.Title>
            {onOpenChange ? (
              <Primitive.Close aria-label="Close" className="rounded-sm p-0.5 text-dim hover:bg-grid hover:text-ink">
                <X aria-hidden className="size-4" />
              </Primitive.Close>
            ) : null}
          </div>
          {description ? (
            <Primitive.Description className="px-4 pt-1 text-dim">{description}</Primitive.Description>
          ) : null}
          <ScrollRegion
            label={title}
            className="min-h-0 flex-1 overflow-auto px-4 py-3 focus-visible:outline-offset-[-2px]"
          >
            {children}
          </ScrollRegion>
          {actions ? <div className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">{actions}</div> : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
