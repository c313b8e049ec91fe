'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Select } from '@/app/_ui/select';
import { ROLE_HINTS, ROLE_OPTIONS, type Role, toRole } from './roles';
import { runCommand } from './run-command';
import { ShownOnce } from './shown-once';

const EXPIRIES = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: '', label: 'never' },
];

/** Makes an API key and shows it once, with the command that uses it. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [days, setDays] = useState('90');
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.tokens.pathKey() }),
    }),
  );
  if (create.data) {
    return (
      <ShownOnce
        title={`API key “${create.data.name}”`}
        description={`It is shown only now. Whoever has it acts as ${create.data.role} in this team.`}
        texts={[
          { label: 'Key', text: create.data.token },
          { label: 'Command', text: runCommand(window.location.origin, create.data.token) },
        ]}
        onClose={onClose}
      />
    );
  }
  const submit = () => {
    if (!name.trim()) return;
    create.mutate({ name: name.trim(), role, expiresInDays: days === '' ? null : Number.parseInt(days, 10) });
  };
  return (
    <Dialog open onOpenChange={onClose} title="New API key">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name" hint="For instance the script that uses it." error={create.error?.message ?? null}>
          {(ids) => (
            <Input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="Role" hint={ROLE_HINTS[role]}>
          {(ids) => (
            <Select {...ids} options={ROLE_OPTIONS} value={role} onValueChange={(value) => setRole(toRole(value))} />
          )}
        </Field>
        <Field label="It ends">
          {(ids) => <Select {...ids} options={EXPIRIES} value={days} onValueChange={setDays} />}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" tone="primary" disabled={create.isPending || name.trim() === ''}>
            Make the key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
