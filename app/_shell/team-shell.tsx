'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { errorCode } from '@/app/_trpc/client';
import { useTeamNudges } from '@/app/_trpc/use-team-nudges';
import { Button } from '@/app/_ui/button';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { AppHeader } from './app-header';

/** Everything behind sign-in: header, navigation, and the page once the session is known. */
export function TeamShell({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const router = useRouter();
  const pathname = usePathname();
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 }));
  const signedOut = errorCode(me.error) === 'UNAUTHORIZED';
  useEffect(() => {
    if (signedOut) router.replace(`/sign-in?next=${encodeURIComponent(pathname)}`);
  }, [signedOut, router, pathname]);
  useTeamNudges(me.data !== undefined);

  return (
    <div className="flex h-dvh flex-col">
      <a href="#main" className="absolute -top-20 left-2 z-50 rounded-md border bg-panel px-3 py-1 focus:top-1.5">
        Skip to the page
      </a>
      <AppHeader me={me.data ?? null} />
      <main id="main" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto outline-none">
        {me.data ? children : null}
        {me.isPending || signedOut ? <Loading what="your session" /> : null}
        {me.isError && !signedOut ? (
          <div className="mx-auto max-w-lg p-4">
            <Problem
              title="Your session could not be read."
              actions={<Button onClick={() => me.refetch()}>Try again</Button>}
            >
              {me.error.message}
            </Problem>
          </div>
        ) : null}
      </main>
    </div>
  );
}
