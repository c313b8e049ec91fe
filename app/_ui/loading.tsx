/** A line that says what is being waited for; the dot pulses unless motion is reduced. */
export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="flex items-center gap-2 px-4 py-8 text-dim">
      <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" />
      Loading {what}…
    </p>
  );
}
