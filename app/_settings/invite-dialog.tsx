'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import { formatDate } from '@/app/_ui/format';
import { Select } from '@/app/_ui/select';
import { ROLE_HINTS, ROLE_OPTIONS, type Role, toRole } from './roles';
import { ShownOnce } from './shown-once';

/** Makes an invitation and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [role, setRole] = useState<Role>('editor');
  const invite = useMutation(
    trpc.members.invite.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() }),
    }),
  );
  if (invite.data) {
    return (
      <ShownOnce
        title="Hand this link over"
        description={`It is shown only now. It works once, until ${formatDate(invite.data.expiresAt)}; whoever opens it first joins as ${role}.`}
        texts={[{ label: 'Link', text: `${window.location.origin}${invite.data.path}` }]}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title="Invite someone">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ role });
        }}
      >
        <Field label="Role" hint={ROLE_HINTS[role]} error={invite.error?.message ?? null}>
          {(ids) => (
            <Select {...ids} options={ROLE_OPTIONS} value={role} onValueChange={(value) => setRole(toRole(value))} />
          )}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" tone="primary" disabled={invite.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
