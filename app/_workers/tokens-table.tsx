'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Badge } from '@/app/_ui/badge';
import { formatDate } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';

/** Tokens of workers, used or not. Only their beginnings are known. */
export function TokensTable() {
  const trpc = useTRPC();
  const tokens = useQuery(trpc.workers.tokens.queryOptions());
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
          </Tr>
        </Thead>
        <Tbody>
          {tokens.data.map((token) => (
            <Tr key={token.id}>
              <Td>{token.name}</Td>
              <Td className="mono">{token.prefix}…</Td>
              <Td>
                {token.revokedAt ? (
                  <Badge tone="error">revoked</Badge>
                ) : token.expiresAt ? (
                  <Badge>ends {formatDate(token.expiresAt)}</Badge>
                ) : (
                  <Badge tone="ok">valid</Badge>
                )}
              </Td>
              <Td className="text-dim">
                <Ago at={token.createdAt} />
                {token.createdBy ? ` · ${token.createdBy}` : ''}
              </Td>
              <Td className="text-dim">{token.lastUsedAt ? <Ago at={token.lastUsedAt} /> : 'never'}</Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </section>
  );
}
