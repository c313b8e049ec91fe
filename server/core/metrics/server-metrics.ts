import type { PointInput } from './point-input';
import { scalar } from './summarize';
import type { MetricValues } from './value';

/** Difference of a counter over the window; null where it is not reported or went backwards (a restart). */
function delta(input: PointInput, name: string): number | null {
  const before = input.counters?.before[name];
  const after = input.counters?.after[name];
  return before === undefined || after === undefined || after < before ? null : after - before;
}

const ratio = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole <= 0 ? null : part / whole;

/**
 * What the server's own counters say over the window: acceptance = accepted ÷ drafted; tokens per step =
 * tokens of a target step, bonus included; prefix hits = cached ÷ prompt tokens. Absent where it counts no such thing.
 */
export function serverMetrics(input: PointInput): MetricValues {
  const requests = input.records.filter((r) => r.phase === 'measure').length;
  const out: MetricValues = {};
  const put = (key: string, value: number | null): void => {
    if (value !== null) out[key] = scalar(key, value, requests);
  };
  put('acceptanceRate', ratio(delta(input, 'acceptedTokens'), delta(input, 'draftTokens')));
  put('tokensPerStep', tokensPerStep(input));
  put('preemptions', delta(input, 'preemptions'));
  put('kvCacheUsageMax', input.counters?.kvUsageMax ?? null);
  put('prefixHitRate', prefixHitRate(input));
  put('peakMemoryBytes', input.usage?.peakMemoryBytes ?? null);
  return out;
}

/** A target step of one sequence emits its accepted drafts and one token of its own: steps = generated − accepted. */
function tokensPerStep(input: PointInput): number | null {
  const generated = delta(input, 'generatedTokens');
  const accepted = delta(input, 'acceptedTokens');
  return generated === null || accepted === null ? null : ratio(generated, generated - accepted);
}

/** From usage of each request where it is reported, else from the server's counters. */
function prefixHitRate(input: PointInput): number | null {
  const ok = input.records.filter((r) => r.phase === 'measure' && r.outcome === 'ok');
  if (ok.length > 0 && ok.every((r) => r.cachedTokens !== null && r.inputTokens !== null)) {
    return ratio(
      ok.reduce((sum, r) => sum + (r.cachedTokens ?? 0), 0),
      ok.reduce((sum, r) => sum + (r.inputTokens ?? 0), 0),
    );
  }
  return ratio(delta(input, 'cachedTokens'), delta(input, 'promptTokens'));
}
