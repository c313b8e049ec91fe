'use client';

import { Button } from './_ui/button';

/** Shown where a page threw. Edits of a pipeline are in the browser's recovery copy by then. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 px-4 text-center">
      <h1 className="text-title">This page stopped working</h1>
      <p className="max-w-prose text-dim">{error.message}</p>
      {error.digest ? <p className="mono text-faint">{error.digest}</p> : null}
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
