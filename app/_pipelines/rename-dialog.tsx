'use client';

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';

interface RenameDialogProps {
  pipeline: { id: string; name: string };
  onClose: () => void;
  onRenamed: (name: string) => void;
}

export function RenameDialog({ pipeline, onClose, onRenamed }: RenameDialogProps) {
  const trpc = useTRPC();
  const [name, setName] = useState(pipeline.name);
  const rename = useMutation(
    trpc.pipelines.rename.mutationOptions({
      onSuccess: () => {
        onRenamed(name.trim());
        onClose();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ id: pipeline.id, name: name.trim() });
  };
  return (
    <Dialog open onOpenChange={onClose} title="Rename the pipeline">
      <form onSubmit={submit} className="grid gap-3">
        <Field label="Name" error={rename.error ? `Not renamed: ${rename.error.message}` : null}>
          {(ids) => (
            <Input {...ids} value={name} maxLength={200} required onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={rename.isPending || name.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
