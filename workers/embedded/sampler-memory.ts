/** One candidate in llama.cpp's list: id, logit, probability. */
const CANDIDATE_BYTES = 12;
const LIMIT_BYTES = 24 * 1024 * 1024;

/**
 * Each evaluation that samples makes a native sampler with a list of the whole vocabulary. node-llama-cpp frees it
 * only when its JavaScript object is collected, and V8 does not see how much hangs on it: without help 300 MB gather
 * with 4,096 tokens of vocabulary, gigabytes with 150,000. A minor collection every 24 MB keeps it small.
 */
export class SamplerMemory {
  private bytes = 0;

  constructor(
    private readonly vocabularySize: number,
    private readonly collect: (() => void) | null,
  ) {}

  /** Counts evaluations; collects when enough has gathered. */
  add(evaluations: number): void {
    this.bytes += evaluations * this.vocabularySize * CANDIDATE_BYTES;
    if (this.bytes < LIMIT_BYTES) return;
    this.bytes = 0;
    this.collect?.();
  }
}

/** The collector that `--expose-gc` gives; null without it. */
export function minorCollector(): (() => void) | null {
  const { gc } = globalThis as { gc?: (options: { type: 'minor' }) => void };
  return gc ? () => gc({ type: 'minor' }) : null;
}
