/**
 * What one decode step and one prompt token ask of the hardware, as a lower bound. Bytes per step are those of all
 * devices together; bandwidth and peak are of one device.
 */
export interface PhysicsFacts {
  /** Weights that a decode step reads once, as loaded: experts that a token uses, input embedding left out. */
  weightBytes: number;
  /** KV cache of one token of context, as loaded. 0: not bounded (sliding window, unknown type). */
  kvBytesPerToken: number;
  bandwidthBytesPerS: number;
  /** Fastest data path, FLOP/s; null: unknown. */
  peakFlops: number | null;
  /** FLOPs that the prompt's every token needs; null: unknown. */
  flopsPerPromptToken: number | null;
  /** Devices that work on one token: tensor parallel, not pipeline or data parallel. */
  devices: number;
  /** Tokens drafted a step; 0 without speculation. */
  draftTokens: number;
}

/** The facts, or what was missing in words: "the bandwidth of cpu-local is unknown". */
export type PhysicsInput = { facts: PhysicsFacts; skipped: null } | { facts: null; skipped: string };
