'use client';

import { type FormEvent, useState } from 'react';
import type { Posted } from './post-json';

/** A form that is posted once at a time: `post` says how it went, `onDone` leaves the page. */
export function usePostForm(post: (form: FormData) => Promise<Posted>, onDone: () => void) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    const answer = await post(form);
    if (answer.ok) return onDone();
    setProblem(answer.message);
    setBusy(false);
  };
  return { submit, problem, busy };
}
