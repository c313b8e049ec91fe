/** The mark: two threads through one node. */
export function Brand() {
  return (
    <span className="flex items-center gap-2 font-medium tracking-tight">
      <svg aria-hidden viewBox="0 0 16 16" className="size-4">
        <rect width="16" height="16" rx="4" fill="var(--family-attention)" />
        <path d="M3 5.5c4 0 6 5 10 5M3 10.5c4 0 6-5 10-5" stroke="#fff" strokeWidth="1.5" fill="none" />
      </svg>
      Inferloom
    </span>
  );
}
