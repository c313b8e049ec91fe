'use client';

import { useMutation } from '@tanstack/react-query';
import { CircleUser, LogOut, Settings } from 'lucide-react';
import Link from 'next/link';
import { toast } from 'sonner';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';

export function UserMenu({ me }: { me: ApiOutputs['me']['get'] }) {
  const trpc = useTRPC();
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({
      onSuccess: () => window.location.assign('/sign-in'),
      onError: (error) => toast.error(`You are still signed in: ${error.message}`),
    }),
  );
  return (
    <Menu
      trigger={
        <Button tone="quiet" size="icon" aria-label={`Account of ${me.user.name}`}>
          <CircleUser aria-hidden />
        </Button>
      }
    >
      <MenuLabel>
        <span className="block text-ink">{me.user.name}</span>
        {me.user.email}
        <span className="block">
          {me.team.name} · {me.role}
        </span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/settings">
          <Settings aria-hidden /> Settings
        </Link>
      </MenuItem>
      <MenuItem onSelect={() => signOut.mutate()}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}
