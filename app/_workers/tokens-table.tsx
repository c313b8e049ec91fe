'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { formatDate } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { RevokeDialog } from './revoke-dialog';

type Token = ApiOutputs['workers']['tokens'][number];

/** Tokens of workers, used or not. Only their beginnings are known. */
export function TokensTable() {
  const trpc = useTRPC();
  const tokens = useQuery(trpc.workers.tokens.queryOptions());
  const [revoking, setRevoking] = useState<Token | null>(null);
  const close = () => setRevoking(null);
  const revoke = useMutation(
    trpc.workers.revokeToken.mutationOptions({
      onSuccess: close,
      onError: (error) => toast.error(`It was not revoked: ${error.message}`),
    }),
  );
  if (!tokens.data || tokens.data.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h2 className="text-base">Tokens</h2>
      <Table label="Tokens of workers">
        <Thead>
          <Tr>
            <Th>Name</Th>
            <Th>Begins with</Th>
            <Th>State</Th>
            <Th>Made</Th>
            <Th>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {tokens.data.map((token) => (
            <Tr key={token.id}>
              <Td>{token.name}</Td>
              <Td className="mono">{token.prefix}…</Td>
              <Td>
                <TokenState token={token} />
              </Td>
              <Td className="text-dim">
                <Ago at={token.createdAt} />
                {token.createdBy ? ` · ${token.createdBy}` : ''}
              </Td>
              <Td className="text-dim">{token.lastUsedAt ? <Ago at={token.lastUsedAt} /> : 'never'}</Td>
              <Td className="text-right">
                {token.revokedAt ? null : (
                  <Button size="sm" aria-label={`Revoke the token ${token.name}`} onClick={() => setRevoking(token)}>
                    Revoke
                  </Button>
                )}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      <RevokeDialog
        name={revoking && `the token ${revoking.name}`}
        pending={revoke.isPending}
        onClose={close}
        onRevoke={() => revoking && revoke.mutate({ id: revoking.id })}
      />
    </section>
  );
}

function TokenState({ token }: { token: Token }) {
  if (token.revokedAt) return <Badge tone="error">revoked</Badge>;
  if (token.expiresAt) return <Badge>ends {formatDate(token.expiresAt)}</Badge>;
  return <Badge tone="ok">valid</Badge>;
}
