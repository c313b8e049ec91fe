'use client';

import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import { Problem } from '@/app/_ui/problem';
import { AccountFields, readAccount } from './account-fields';
import { postJson } from './post-json';
import { usePostForm } from './use-post-form';

/** Spends the owner link: makes the first account and signs it in. */
export function OwnerForm({ token }: { token: string }) {
  const { submit, problem, busy } = usePostForm(
    (form) => postJson('/api/owner', { token, ...readAccount(form) }),
    () => window.location.assign('/pipelines'),
  );
  return (
    <form onSubmit={submit} className="grid w-80 max-w-full gap-3">
      <h1 className="text-title">Make the owner account</h1>
      <p className="text-dim">This link works once. The owner invites everyone else.</p>
      <AccountFields />
      {problem ? (
        <Problem title={problem}>
          An owner exists already?{' '}
          <Link href="/sign-in" className="text-accent underline">
            Sign in
          </Link>
          . Otherwise restart the server: it prints a fresh link.
        </Problem>
      ) : null}
      <Button type="submit" tone="primary" disabled={busy}>
        {busy ? 'Making the account…' : 'Make the account and sign in'}
      </Button>
    </form>
  );
}
