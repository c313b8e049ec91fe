'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { formatDate } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { auditDetail } from './audit-text';
import { Fetched } from './fetched';
import { TabHead } from './tab-head';

const ACTORS = { user: null, api_key: 'API key', worker: 'worker', system: 'this server' } as const;

/** Every change in the team, the newest first. */
export function AuditTab() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions({ limit: 50 }, { getNextPageParam: (page) => page.nextCursor ?? undefined }),
  );
  return (
    <>
      <TabHead actions={<Button onClick={() => void list.refetch()}>Refresh</Button>}>
        Who changed what, and when. Rows are added and never changed.
      </TabHead>
      <Fetched query={list} what="the audit log">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) return <EmptyState title="Nothing was changed yet" />;
          return (
            <Table label="Audit log">
              <Thead>
                <Tr>
                  <Th>When</Th>
                  <Th>Who</Th>
                  <Th>What</Th>
                  <Th>Facts</Th>
                </Tr>
              </Thead>
              <Tbody>
                {rows.map((row) => (
                  <Tr key={row.id}>
                    <Td className="whitespace-nowrap text-dim">
                      <time dateTime={row.at.toISOString()}>{formatDate(row.at)}</time>
                    </Td>
                    <Td className="whitespace-nowrap">
                      {row.actorName}
                      {ACTORS[row.actorKind] ? <span className="text-dim"> · {ACTORS[row.actorKind]}</span> : null}
                    </Td>
                    <Td className="mono whitespace-nowrap">{row.action}</Td>
                    <Td className="min-w-64 break-words text-dim">{auditDetail(row.detail)}</Td>
                  </Tr>
                ))}
              </Tbody>
            </Table>
          );
        }}
      </Fetched>
      {list.hasNextPage ? (
        <Button className="justify-self-center" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </>
  );
}
