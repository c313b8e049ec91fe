'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { ConfirmDialog } from './confirm-dialog';
import { Fetched } from './fetched';
import { SetSecretDialog } from './set-secret-dialog';
import { TabHead } from './tab-head';

type Secret = ApiOutputs['secrets']['list'][number];
/** What the dialog is open for: a new name, or another value under a known one. */
type Editing = { name: string | null } | null;

export function SecretsTab({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Editing>(null);
  const [removing, setRemoving] = useState<Secret | null>(null);
  const secrets = useQuery(trpc.secrets.list.queryOptions());
  const remove = useMutation(
    trpc.secrets.remove.mutationOptions({
      onSuccess: () => setRemoving(null),
      onError: (error) => toast.error(`Not deleted: ${error.message}`),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.secrets.pathKey() }),
    }),
  );
  const add = canEdit ? (
    <Button tone="primary" onClick={() => setEditing({ name: null })}>
      New secret
    </Button>
  ) : null;
  return (
    <>
      <TabHead actions={add}>
        Values that plans name and only workers get, for instance the key of an endpoint. Nobody can read them here.
      </TabHead>
      <Fetched query={secrets} what="the secrets">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No secrets yet">
              Set one, then write its name, INFERLOOM_SECRET_…, where a plan needs the value.
            </EmptyState>
          ) : (
            <SecretsTable secrets={rows} canEdit={canEdit} onSet={setEditing} onRemove={setRemoving} />
          )
        }
      </Fetched>
      {editing ? <SetSecretDialog name={editing.name} onClose={() => setEditing(null)} /> : null}
      <ConfirmDialog
        open={removing !== null}
        title={`Delete ${removing?.name ?? ''}?`}
        description="Plans that name it fail from their next trial on. The value cannot be brought back."
        verb="Delete"
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
        onClose={() => setRemoving(null)}
      />
    </>
  );
}

interface SecretsTableProps {
  secrets: readonly Secret[];
  canEdit: boolean;
  onSet: (editing: Editing) => void;
  onRemove: (secret: Secret) => void;
}

function SecretsTable({ secrets, canEdit, onSet, onRemove }: SecretsTableProps) {
  return (
    <Table label="Secrets">
      <Thead>
        <Tr>
          <Th>Name</Th>
          <Th>Made by</Th>
          <Th>Last set</Th>
          {canEdit ? (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          ) : null}
        </Tr>
      </Thead>
      <Tbody>
        {secrets.map((secret) => (
          <Tr key={secret.id}>
            <Td className="mono">{secret.name}</Td>
            <Td className="text-dim">{secret.createdBy}</Td>
            <Td className="whitespace-nowrap text-dim">
              <Ago at={secret.updatedAt} />
            </Td>
            {canEdit ? (
              <Td className="text-right whitespace-nowrap">
                <Button size="sm" className="mr-1.5" onClick={() => onSet({ name: secret.name })}>
                  Set anew
                </Button>
                <Button size="sm" aria-label={`Delete ${secret.name}`} onClick={() => onRemove(secret)}>
                  Delete
                </Button>
              </Td>
            ) : null}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
