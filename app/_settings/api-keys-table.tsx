'use client';

import { Ago } from '@/app/_ui/ago';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { formatDate } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import type { ApiKey } from './api-keys-tab';

interface ApiKeysTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

/** Only the beginnings of keys are known. */
export function ApiKeysTable({ keys, onRevoke }: ApiKeysTableProps) {
  return (
    <Table label="API keys">
      <Thead>
        <Tr>
          <Th>Name</Th>
          <Th>Begins with</Th>
          <Th>Role</Th>
          <Th>State</Th>
          <Th>Made</Th>
          <Th>Last used</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {keys.map((key) => (
          <Tr key={key.id}>
            <Td className="font-medium">{key.name}</Td>
            <Td className="mono">{key.prefix}…</Td>
            <Td>{key.role}</Td>
            <Td>
              <KeyState apiKey={key} />
            </Td>
            <Td className="whitespace-nowrap text-dim">
              <Ago at={key.createdAt} />
              {key.createdBy ? ` · ${key.createdBy}` : ''}
            </Td>
            <Td className="whitespace-nowrap text-dim">{key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'never'}</Td>
            <Td className="text-right">
              {key.revokedAt ? null : (
                <Button size="sm" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                  Revoke
                </Button>
              )}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revokedAt) return <Badge tone="error">revoked</Badge>;
  if (!apiKey.expiresAt) return <Badge tone="ok">valid</Badge>;
  if (apiKey.expiresAt <= new Date()) return <Badge tone="warn">ended {formatDate(apiKey.expiresAt)}</Badge>;
  return <Badge>ends {formatDate(apiKey.expiresAt)}</Badge>;
}
