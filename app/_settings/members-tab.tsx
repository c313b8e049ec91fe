'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Fetched } from './fetched';
import { Invitations } from './invitations';
import { InviteDialog } from './invite-dialog';
import { MembersTable } from './members-table';
import { TabHead } from './tab-head';

export function MembersTab({ me }: { me: ApiOutputs['me']['get'] }) {
  const trpc = useTRPC();
  const [inviting, setInviting] = useState(false);
  const members = useQuery(trpc.members.list.queryOptions());
  const isOwner = me.role === 'owner';
  const invite = isOwner ? (
    <Button tone="primary" onClick={() => setInviting(true)}>
      Invite someone
    </Button>
  ) : null;
  return (
    <>
      <TabHead actions={invite}>
        Who works in this team. No mail is sent: an invitation is a link that you hand over yourself.
      </TabHead>
      <Fetched query={members} what="the members">
        {(rows) => <MembersTable members={rows} myId={me.user.id} canManage={isOwner} />}
      </Fetched>
      {isOwner ? <Invitations /> : null}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </>
  );
}
