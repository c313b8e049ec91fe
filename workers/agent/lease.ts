/**
 * The agent's view of its lease, on a monotonic clock. A lease counts from the moment its request was *sent*:
 * the server can only have granted it later, so we never believe in it for longer than the server does.
 */
export interface Lease {
  /** Ms that are left; 0 when it has run out. */
  leftMs(nowMs: number): number;
  isHeld(nowMs: number): boolean;
  renew(sentAtMs: number, leaseMs: number): void;
}

export function createLease(sentAtMs: number, leaseMs: number): Lease {
  let endsAtMs = sentAtMs + leaseMs;
  const leftMs = (nowMs: number): number => Math.max(0, endsAtMs - nowMs);
  return {
    leftMs,
    isHeld: (nowMs) => leftMs(nowMs) > 0,
    renew: (sent, length) => {
      endsAtMs = Math.max(endsAtMs, sent + length);
    },
  };
}
