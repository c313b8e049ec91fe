import type { TrialOutcome } from './trial';

/** Runs of one block, the first one included: an invalid block is run again once. */
export const MAX_BLOCK_RUNS = 2;

/**
 * Why a finished block should be run again whole; null when its outcomes stand. A failure that comes from the plan
 * itself (its cause names a node) would only repeat, so it stands as it is.
 * @param run 1 for the first run of this block
 */
export function rerunReason(outcomes: readonly TrialOutcome[], run: number): string | null {
  if (run >= MAX_BLOCK_RUNS || outcomes.some((o) => o.state === 'cancelled')) return null;
  for (const outcome of outcomes) {
    if (outcome.state === 'failed' && outcome.cause?.nodeId == null) {
      return `failed: ${outcome.cause?.message ?? 'cause unknown'}`;
    }
    if (outcome.state === 'succeeded' && !outcome.valid) {
      return `invalid: ${outcome.reasons[0] ?? 'reason unknown'}`;
    }
  }
  return null;
}
