'use client';

import { Button } from '@/app/_ui/button';
import { Problem } from '@/app/_ui/problem';
import { NewPasswordField } from './account-fields';
import { postJson } from './post-json';
import { usePostForm } from './use-post-form';

/** Spends a reset link: sets the password; the person then signs in with it. */
export function ResetForm({ token }: { token: string }) {
  const { submit, problem, busy } = usePostForm(
    (form) => postJson('/api/reset', { token, password: String(form.get('password')) }),
    () => window.location.assign('/sign-in'),
  );
  return (
    <form onSubmit={submit} className="grid w-80 max-w-full gap-3">
      <h1 className="text-title">Choose a new password</h1>
      <p className="text-dim">This link works once. You are signed out everywhere and sign in with the new one.</p>
      <NewPasswordField label="New password" />
      {problem ? <Problem title={problem} /> : null}
      <Button type="submit" tone="primary" disabled={busy}>
        {busy ? 'Setting it…' : 'Set the password'}
      </Button>
    </form>
  );
}
