/** What admission looks at: a free slot's id, how many tokens of the prompt it holds, and when it was last used. */
export interface FreeSlot {
  id: number;
  cachedPrefixTokens: number;
  lastUsed: number;
}

/** The free slot with the longest cached prefix; between equals the one that was not used for the longest time. */
export function pickSlot(free: readonly FreeSlot[]): FreeSlot | null {
  let best: FreeSlot | null = null;
  for (const slot of free) {
    if (!best) best = slot;
    else if (slot.cachedPrefixTokens > best.cachedPrefixTokens) best = slot;
    else if (slot.cachedPrefixTokens === best.cachedPrefixTokens && slot.lastUsed < best.lastUsed) best = slot;
  }
  return best;
}

/** Whether one more request may come in: it starts at once, or the queue has room. */
export function mayEnqueue(waiting: number, freeSlots: number, queueLimit: number): boolean {
  return waiting - freeSlots < queueLimit;
}

/** Whole seconds after which a refused client should come again, from the mean service time and the queue before it. */
export function retryAfterS(waiting: number, slots: number, meanServiceMs: number): number {
  const rounds = Math.ceil((waiting + 1) / Math.max(1, slots));
  return Math.min(60, Math.max(1, Math.ceil((rounds * meanServiceMs) / 1000)));
}

/** A busy slot before a step: tokens that it has not evaluated yet. One pending token means that it is decoding. */
export interface StepSlot {
  id: number;
  pendingTokens: number;
  admittedAt: number;
}

/**
 * Tokens that each slot evaluates in the next step. Decoding streams always go on; prompts share
 * `prefillTokensPerStep`, oldest first, so that a long prompt delays the streams beside it by one chunk at most.
 */
export function planStep(slots: readonly StepSlot[], prefillTokensPerStep: number): Map<number, number> {
  const plan = new Map<number, number>();
  let left = Math.max(1, prefillTokensPerStep);
  for (const slot of [...slots].sort((a, b) => a.admittedAt - b.admittedAt)) {
    if (slot.pendingTokens <= 1) {
      plan.set(slot.id, slot.pendingTokens);
      continue;
    }
    const take = Math.min(slot.pendingTokens, left);
    left -= take;
    if (take > 0) plan.set(slot.id, take);
  }
  return plan;
}

/** How many tokens a decoding slot may draft: k, but not past its output length or its context. */
export function draftAllowance(k: number, remainingTokens: number, freeContextTokens: number): number {
  return Math.max(0, Math.min(k, remainingTokens - 1, freeContextTokens - 1));
}

/**
 * The range to drop so that `needed` tokens fit: attention sinks at the start stay, half of what follows goes
 * (llama-server's context shift; StreamingLLM, arXiv:2309.17453). Null where they fit already.
 */
export function shiftRange(
  usedTokens: number,
  neededTokens: number,
  capacityTokens: number,
  keepTokens: number,
): { start: number; end: number } | null {
  if (usedTokens + neededTokens <= capacityTokens) return null;
  const keep = Math.min(keepTokens, Math.max(0, capacityTokens - neededTokens - 1));
  const half = Math.floor((usedTokens - keep) / 2);
  const drop = Math.min(usedTokens - keep, Math.max(half, usedTokens + neededTokens - capacityTokens));
  return drop > 0 ? { start: keep, end: keep + drop } : null;
}
