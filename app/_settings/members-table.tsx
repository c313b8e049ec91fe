'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Ago } from '@/app/_ui/ago';
import { Badge } from '@/app/_ui/badge';
import { Select } from '@/app/_ui/select';
import { Table, Tbody, Td, Th, Thead, Tr } from '@/app/_ui/table';
import { MemberMenu } from './member-menu';
import { ROLE_HINTS, ROLE_OPTIONS, toRole } from './roles';

export type Member = ApiOutputs['members']['list'][number];

interface MembersTableProps {
  members: readonly Member[];
  myId: string;
  canManage: boolean;
}

export function MembersTable({ members, myId, canManage }: MembersTableProps) {
  return (
    <Table label="Members">
      <Thead>
        <Tr>
          <Th>Name</Th>
          <Th>E-mail</Th>
          <Th>Role</Th>
          <Th>Joined</Th>
          {canManage ? (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          ) : null}
        </Tr>
      </Thead>
      <Tbody>
        {members.map((member) => (
          <Tr key={member.userId}>
            <Td className="font-medium whitespace-nowrap">
              {member.name} {member.userId === myId ? <Badge>you</Badge> : null}
            </Td>
            <Td className="text-dim">{member.email}</Td>
            <Td>
              {canManage ? (
                <RoleSelect member={member} isMe={member.userId === myId} />
              ) : (
                <span title={ROLE_HINTS[member.role]}>{member.role}</span>
              )}
            </Td>
            <Td className="whitespace-nowrap text-dim">
              <Ago at={member.joinedAt} />
            </Td>
            {canManage ? (
              <Td className="text-right">
                <MemberMenu member={member} isMe={member.userId === myId} />
              </Td>
            ) : null}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function RoleSelect({ member, isMe }: { member: Member; isMe: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const change = useMutation(
    trpc.members.changeRole.mutationOptions({
      onSuccess: (_, { role }) => toast(`${member.name} is ${role} now.`),
      onError: (error) => toast.error(`The role stays: ${error.message}`),
      onSettled: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() });
        if (isMe) await queryClient.invalidateQueries({ queryKey: trpc.me.pathKey() });
        setWanted(null);
      },
    }),
  );
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      title={ROLE_HINTS[member.role]}
      className="w-28"
      options={ROLE_OPTIONS}
      value={wanted ?? member.role}
      disabled={change.isPending}
      onValueChange={(value) => {
        setWanted(value);
        change.mutate({ userId: member.userId, role: toRole(value) });
      }}
    />
  );
}
