'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Problem } from '@/app/_ui/problem';
import { postJson, safeNext } from './post-json';

/** `next`: path to go to afterwards. */
export function SignInForm({ next }: { next: string | null }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    const answer = await postJson('/api/auth/sign-in/email', {
      email: String(form.get('email')).trim(),
      password: String(form.get('password')),
    });
    // A full load: nothing of an earlier account stays in memory.
    if (answer.ok) window.location.assign(safeNext(next));
    else {
      setProblem(answer.message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid w-80 max-w-full gap-3">
      <h1 className="text-title">Sign in</h1>
      <Field label="E-mail">
        {(ids) => <Input {...ids} name="email" type="email" autoComplete="username" required />}
      </Field>
      <Field label="Password">
        {(ids) => <Input {...ids} name="password" type="password" autoComplete="current-password" required />}
      </Field>
      {problem ? <Problem title={problem} /> : null}
      <Button type="submit" tone="primary" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className="text-xs text-dim">
        No account yet? The owner opens the one-time link that the server prints when it starts.
      </p>
    </form>
  );
}
