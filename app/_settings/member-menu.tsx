'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, KeyRound, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { formatDate } from '@/app/_ui/format';
import { Menu, MenuItem, MenuSeparator } from '@/app/_ui/menu';
import { ConfirmDialog } from './confirm-dialog';
import type { Member } from './members-table';
import { ShownOnce } from './shown-once';

export function MemberMenu({ member, isMe }: { member: Member; isMe: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const reset = useMutation(
    trpc.members.resetLink.mutationOptions({ onError: (error) => toast.error(`No link was made: ${error.message}`) }),
  );
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: () => {
        setRemoving(false);
        if (isMe) return window.location.assign('/sign-in');
        toast(`${member.name} is no longer in the team.`);
        void queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() });
      },
      onError: (error) => toast.error(`Not removed: ${error.message}`),
    }),
  );
  return (
    <>
      <Menu
        trigger={
          <Button tone="quiet" size="icon" aria-label={`Actions for ${member.name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => reset.mutate({ userId: member.userId })}>
          <KeyRound aria-hidden /> Make a password link
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setRemoving(true)}>
          <UserMinus aria-hidden /> Remove…
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={removing}
        title={isMe ? 'Leave the team?' : `Remove ${member.name}?`}
        description="Access ends with the next request. Pipelines and experiments stay, and so do API keys: revoke those that this person knows."
        verb={isMe ? 'Leave' : 'Remove'}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ userId: member.userId })}
        onClose={() => setRemoving(false)}
      />
      {reset.data ? (
        <ShownOnce
          title={`A new password for ${member.name}`}
          description={`Hand this link over. It works once, until ${formatDate(reset.data.expiresAt)}; whoever opens it first chooses the password.`}
          texts={[{ label: 'Link', text: `${window.location.origin}${reset.data.path}` }]}
          onClose={reset.reset}
        />
      ) : null}
    </>
  );
}
