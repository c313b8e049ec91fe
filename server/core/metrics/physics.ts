import type { CheckResult } from './checks';
import type { PhysicsFacts } from './physics-input';
import type { PointInput } from './point-input';
import { nearestRank } from './quantile';
import type { RequestRecord } from './records';
import { requestTimes } from './request-times';

/** How the note begins where a device's or model's facts are missing. */
export const PHYSICS_SKIPPED = 'not checked against physics';

/** Figures may lie so far under a floor: bits per weight and peaks are rounded. */
const SLACK = 0.95;

const median = (values: readonly number[]): number => nearestRank(Float64Array.from(values).sort(), 0.5);
const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
const ms = (value: number): string => `${value >= 10 ? value.toFixed(0) : value.toPrecision(2)} ms`;

/** Mean tokens of context that one decode step of a request reads: its prompt and half of its answer. */
function meanContextTokens(ok: readonly RequestRecord[], input: PointInput): number {
  return mean(ok.map((r) => (r.inputTokens ?? input.workload.inputTokens) + r.outputTokens / 2));
}

/**
 * Shortest time between two tokens of one sequence, ms: a target step reads the weights once, and the KV cache of at
 * least one sequence where no prefix is shared; it emits `tokensPerStep` tokens.
 */
export function tpotFloorMs(facts: PhysicsFacts, contextTokens: number, tokensPerStep: number): number {
  const bytes = facts.weightBytes + facts.kvBytesPerToken * contextTokens;
  return (1000 * bytes) / (facts.bandwidthBytesPerS * facts.devices) / tokensPerStep;
}

/** Shortest prefill, ms: FLOPs of the uncached tokens at the fastest data path; cached unknown: one weight pass. */
export function serviceTtftFloorMs(facts: PhysicsFacts, uncachedTokens: number | null): number | null {
  if (uncachedTokens === null) return (1000 * facts.weightBytes) / (facts.bandwidthBytesPerS * facts.devices);
  if (facts.peakFlops === null || facts.flopsPerPromptToken === null) return null;
  return (1000 * facts.flopsPerPromptToken * uncachedTokens) / (facts.peakFlops * facts.devices);
}

function checkTpot(
  input: PointInput,
  facts: PhysicsFacts,
  ok: readonly RequestRecord[],
  perStep: number | null,
): string[] {
  const tpots = ok.flatMap((r) => requestTimes(r).tpotMs ?? []);
  if (tpots.length === 0) return [];
  const shared = input.workload.prefixTokens > 0;
  // One token a step at least: a counter that says less would lift the floor.
  const tokensPerStep = Math.max(1, perStep ?? facts.draftTokens + 1);
  const floorMs = tpotFloorMs(facts, shared ? 0 : meanContextTokens(ok, input), tokensPerStep);
  const seenMs = median(tpots);
  if (seenMs >= SLACK * floorMs) return [];
  return [
    `not possible: TPOT p50 ${ms(seenMs)}, but reading the weights takes ${ms(floorMs)} a token on this hardware`,
  ];
}

function checkTtft(facts: PhysicsFacts, ok: readonly RequestRecord[]): CheckResult {
  const floors = ok.flatMap((r) => {
    const seenMs = requestTimes(r).serviceTtftMs;
    const uncached = r.inputTokens === null || r.cachedTokens === null ? null : r.inputTokens - r.cachedTokens;
    const floorMs = serviceTtftFloorMs(facts, uncached);
    return seenMs === null || floorMs === null || floorMs <= 0 ? [] : [{ seenMs, floorMs }];
  });
  if (floors.length === 0) {
    return { invalid: [], notes: ['service TTFT not checked against physics: peak or parameters unknown'] };
  }
  if (median(floors.map((f) => f.seenMs / f.floorMs)) >= SLACK) return { invalid: [], notes: [] };
  const seen = ms(median(floors.map((f) => f.seenMs)));
  const floor = ms(median(floors.map((f) => f.floorMs)));
  return {
    invalid: [`not possible: service TTFT p50 ${seen}, but its prefill takes ${floor} on this hardware`],
    notes: [],
  };
}

/**
 * What no hardware can undercut (METHODOLOGY, "A result is valid only if"). Medians are judged: single requests may
 * be stamped late at their first token.
 * @param tokensPerStep by the server's counters; null: unreported, then drafted + 1 is granted
 */
export function checkPhysics(input: PointInput, tokensPerStep: number | null, bundled: boolean): CheckResult {
  const { physics } = input;
  if (physics === undefined) return { invalid: [], notes: [] };
  if (physics.facts === null) return { invalid: [], notes: [`${PHYSICS_SKIPPED}: ${physics.skipped}`] };
  const ok = input.records.filter((r) => r.phase === 'measure' && r.outcome === 'ok');
  if (ok.length === 0) return { invalid: [], notes: [] };
  const ttft = checkTtft(physics.facts, ok);
  const tpot = bundled ? [] : checkTpot(input, physics.facts, ok, tokensPerStep);
  return { invalid: [...tpot, ...ttft.invalid], notes: ttft.notes };
}
