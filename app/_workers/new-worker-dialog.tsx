'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { CopyButton } from '@/app/_ui/copy-button';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Select } from '@/app/_ui/select';
import { workerCommand } from './worker-command';

const EXPIRIES = [
  { value: '', label: 'never' },
  { value: '30', label: 'in 30 days' },
  { value: '365', label: 'in a year' },
];

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes a worker's token and shows it once, inside the command to run. */
export function NewWorkerDialog({ open, onOpenChange }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const create = useMutation(
    trpc.workers.createToken.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.workers.pathKey() }),
    }),
  );
  const close = () => {
    onOpenChange(false);
    create.reset();
    setName('');
  };
  const submit = () =>
    create.mutate({ name: name.trim(), expiresInDays: days === '' ? null : Number.parseInt(days, 10) });
  if (create.data) {
    const command = workerCommand(window.location.origin, create.data.token);
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title="Run this on the host"
        description="The token is shown only now. Whoever has it can run plans as this worker."
        actions={
          <>
            <CopyButton text={command} label="Copy the command" />
            <Button tone="primary" onClick={close}>
              Done
            </Button>
          </>
        }
      >
        <pre data-testid="worker-command" className="rounded-md border bg-bg p-2 break-all whitespace-pre-wrap">
          {command}
        </pre>
        <p className="mt-2 text-dim">
          Run it in a clone of this project. The worker appears in the list as soon as it has reached this server.
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={close} title="Add a worker">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) submit();
        }}
      >
        <Field label="Name" hint="For instance the name of its host." error={create.error?.message ?? null}>
          {(ids) => (
            <Input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="The token ends">
          {(ids) => <Select {...ids} options={EXPIRIES} value={days} onValueChange={setDays} />}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" tone="primary" disabled={create.isPending || name.trim() === ''}>
            Make its token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
