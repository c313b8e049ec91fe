import type { Sampling } from './job';

/** What the engine counts since it started. Tokens unless the name says otherwise. */
export interface Counters {
  requests: number;
  rejected: number;
  cancelled: number;
  failed: number;
  prompt: number;
  cached: number;
  /** Requests that found part of their prompt in a cache. */
  prefixHits: number;
  generated: number;
  drafted: number;
  accepted: number;
  /** Verifications: target decodes that checked at least one drafted token. */
  speculationSteps: number;
  decodeSteps: number;
  /** Sum over steps of the sequences in them. */
  stepSequences: number;
  /** Most prompt tokens that one step evaluated. */
  largestPrefill: number;
  contextShifts: number;
  shiftedOut: number;
  scored: number;
  busyMs: number;
  /** Largest number of sequences in one step. */
  largestBatch: number;
  largestQueue: number;
  /** Most tokens drafted for one verification. */
  largestDraft: number;
  /** Lengths of the n-grams that gave drafts. */
  shortestLookup: number | null;
  longestLookup: number;
  /** Tokens before the dropped range in the last context shift. */
  sinksKept: number | null;
  /** How the last started request drew its tokens. */
  lastSampling: Sampling | null;
}

export function newCounters(): Counters {
  return {
    requests: 0,
    rejected: 0,
    cancelled: 0,
    failed: 0,
    prompt: 0,
    cached: 0,
    prefixHits: 0,
    generated: 0,
    drafted: 0,
    accepted: 0,
    speculationSteps: 0,
    decodeSteps: 0,
    stepSequences: 0,
    largestPrefill: 0,
    contextShifts: 0,
    shiftedOut: 0,
    scored: 0,
    busyMs: 0,
    largestBatch: 0,
    largestQueue: 0,
    largestDraft: 0,
    shortestLookup: null,
    longestLookup: 0,
    sinksKept: null,
    lastSampling: null,
  };
}
