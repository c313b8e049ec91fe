import Link from 'next/link';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-content-center gap-2 px-4 text-center">
      <h1 className="text-title">There is no page at this address</h1>
      <p className="text-dim">It may have been deleted, or the link is incomplete.</p>
      <Link href="/pipelines" className="text-accent underline underline-offset-2">
        Go to your pipelines
      </Link>
    </main>
  );
}
