'use client';

import { Button } from '@/app/_ui/button';
import { Problem } from '@/app/_ui/problem';
import { AccountFields, readAccount } from './account-fields';
import { postJson } from './post-json';
import { usePostForm } from './use-post-form';

/** Spends an invitation: makes the account, or joins with the one that the e-mail has, and signs it in. */
export function JoinForm({ token }: { token: string }) {
  // A full load: nothing of an earlier account stays in memory.
  const { submit, problem, busy } = usePostForm(
    (form) => postJson('/api/join', { token, ...readAccount(form) }),
    () => window.location.assign('/pipelines'),
  );
  return (
    <form onSubmit={submit} className="grid w-80 max-w-full gap-3">
      <h1 className="text-title">Join the team</h1>
      <p className="text-dim">Someone invited you to work with them in Inferloom. This link works once.</p>
      <AccountFields passwordHint="Have an account here already? Give its e-mail and password." />
      {problem ? <Problem title={problem} /> : null}
      <Button type="submit" tone="primary" disabled={busy}>
        {busy ? 'Joining…' : 'Join and sign in'}
      </Button>
    </form>
  );
}
