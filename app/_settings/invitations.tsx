'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Button } from '@/app/_ui/button';
import { formatDate } from '@/app/_ui/format';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { ConfirmDialog } from './confirm-dialog';

/** Links that nobody has taken up yet; nothing where there are none. */
export function Invitations() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<string | null>(null);
  const invitations = useQuery(trpc.members.invitations.queryOptions());
  const withdraw = useMutation(
    trpc.members.withdraw.mutationOptions({
      onError: (error) => toast.error(`Not withdrawn: ${error.message}`),
      onSettled: () => {
        setWithdrawing(null);
        void queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() });
      },
    }),
  );
  if (!invitations.data || invitations.data.length === 0) return null;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="text-base">Open invitations</h2>
      <Table label="Open invitations">
        <Thead>
          <Tr>
            <Th>Role</Th>
            <Th>Made</Th>
            <Th>Ends</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {invitations.data.map((invitation) => (
            <Tr key={invitation.id}>
              <Td>{invitation.role}</Td>
              <Td className="whitespace-nowrap text-dim">
                <Ago at={invitation.createdAt} />
              </Td>
              <Td className="whitespace-nowrap text-dim">{formatDate(invitation.expiresAt)}</Td>
              <Td className="text-right">
                <Button size="sm" onClick={() => setWithdrawing(invitation.id)}>
                  Withdraw
                </Button>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      <ConfirmDialog
        open={withdrawing !== null}
        title="Withdraw the invitation?"
        description="Its link stops working. You can make another one."
        verb="Withdraw"
        busy={withdraw.isPending}
        onConfirm={() => withdrawing && withdraw.mutate({ id: withdrawing })}
        onClose={() => setWithdrawing(null)}
      />
    </section>
  );
}
