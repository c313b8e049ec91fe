/** The baseline's answers on the quality text and how much they differ from themselves. */
export interface Reference {
  answers: unknown;
  /** KL of the baseline against itself, run twice under the same load. */
  noiseFloor: number | null;
}

/** References by baseline launchHash and text hash. Few are kept: one holds the logprobs of the whole text. */
export interface ReferenceCache {
  get(launchHash: string, textHash: string): Reference | null;
  set(launchHash: string, textHash: string, reference: Reference): void;
}

export function createReferenceCache(limit = 2): ReferenceCache {
  const kept = new Map<string, Reference>();
  const keyOf = (launchHash: string, textHash: string): string => `${launchHash} ${textHash}`;
  return {
    get: (launchHash, textHash) => kept.get(keyOf(launchHash, textHash)) ?? null,
    set: (launchHash, textHash, reference) => {
      kept.delete(keyOf(launchHash, textHash));
      kept.set(keyOf(launchHash, textHash), reference);
      for (const key of kept.keys()) {
        if (kept.size <= limit) break;
        kept.delete(key);
      }
    },
  };
}
