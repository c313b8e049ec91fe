'use client';

import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Problem } from '@/app/_ui/problem';
import { postJson } from './post-json';

const MIN_PASSWORD = 10;

/** Spends the owner link: makes the first account and signs it in. */
export function OwnerForm({ token }: { token: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const password = String(form.get('password'));
    setBusy(true);
    setProblem(null);
    const made = await postJson('/api/owner', { token, name: String(form.get('name')).trim(), email, password });
    if (!made.ok) {
      setProblem(made.message);
      setBusy(false);
      return;
    }
    const signedIn = await postJson('/api/auth/sign-in/email', { email, password });
    window.location.assign(signedIn.ok ? '/pipelines' : '/sign-in');
  };
  return (
    <form onSubmit={submit} className="grid w-80 max-w-full gap-3">
      <h1 className="text-title">Make the owner account</h1>
      <p className="text-dim">This link works once. The owner invites everyone else.</p>
      <Field label="Name">{(ids) => <Input {...ids} name="name" autoComplete="name" required maxLength={100} />}</Field>
      <Field label="E-mail" hint="Your name for signing in; no mail is sent.">
        {(ids) => <Input {...ids} name="email" type="email" autoComplete="username" required />}
      </Field>
      <Field label="Password" hint={`At least ${MIN_PASSWORD} characters.`}>
        {(ids) => (
          <Input
            {...ids}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
          />
        )}
      </Field>
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
