'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';

const PREFIX = 'INFERLOOM_SECRET_';
const NAME = /^INFERLOOM_SECRET_[A-Z0-9_]+$/;

/** Sets a value under a new name, or anew under `name`. */
export function SetSecretDialog({ name: known, onClose }: { name: string | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState(known ?? PREFIX);
  const [value, setValue] = useState('');
  const set = useMutation(
    trpc.secrets.set.mutationOptions({
      onSuccess: onClose,
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.secrets.pathKey() }),
    }),
  );
  const isWellNamed = NAME.test(name);
  return (
    <Dialog open onOpenChange={onClose} title={known ? `Set ${known} anew` : 'New secret'}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWellNamed && value) set.mutate({ name, value });
        }}
      >
        <Field
          label="Name"
          hint={`${PREFIX} and capitals, digits or underscores.`}
          error={isWellNamed || name === PREFIX ? null : `It must begin with ${PREFIX} and go on in capitals.`}
        >
          {(ids) => (
            <Input
              {...ids}
              className="mono"
              required
              maxLength={100}
              readOnly={known !== null}
              value={name}
              onChange={(event) => setName(event.target.value.toUpperCase())}
            />
          )}
        </Field>
        <Field label="Value" hint="Stored sealed; it can be set anew but not read." error={set.error?.message ?? null}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="off"
              required
              maxLength={10_000}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" tone="primary" disabled={set.isPending || !isWellNamed || value === ''}>
            Set the secret
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
