'use client';

import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { CopyButton } from '@/app/_ui/copy-button';
import { Dialog } from '@/app/_ui/dialog';

interface ShownOnceProps {
  title: string;
  description: ReactNode;
  /** What is shown now and never again, by its label. */
  texts: readonly { label: string; text: string }[];
  onClose: () => void;
}

/** Something secret that the server keeps only a hash of. */
export function ShownOnce({ title, description, texts, onClose }: ShownOnceProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      actions={
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <dl className="grid gap-3">
        {texts.map(({ label, text }) => (
          <div key={label} className="grid gap-1">
            <div className="flex items-center justify-between gap-2">
              <dt>{label}</dt>
              <CopyButton text={text} label={`Copy the ${label.toLowerCase()}`} />
            </div>
            <dd className="mono rounded-md border bg-bg p-2 break-all whitespace-pre-wrap">{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
