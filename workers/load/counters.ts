import parsePrometheus from 'parse-prometheus-text-format';
import type { CounterSnapshot } from '@/server/core/metrics/point-input';
import type { CounterNames } from './load-types';

/** Sums over labels of the named metrics on a Prometheus page, by our own name for each. */
export function readCounters(page: string, names: CounterNames): CounterSnapshot {
  const out: Record<string, number> = {};
  const families = new Map(parsePrometheus(page).map((family) => [family.name, family]));
  for (const [meaning, name] of Object.entries(names)) {
    // The parser drops the `_total` that OpenMetrics counters carry on some pages.
    const family = name === undefined ? undefined : (families.get(name) ?? families.get(name.replace(/_total$/, '')));
    if (!family) continue;
    out[meaning] = family.metrics.reduce((sum, metric) => sum + Number(metric.value ?? 0), 0);
  }
  return out;
}

/** One look at a Prometheus page; null when it cannot be read just now. */
export async function scrapeCounters(
  url: string,
  names: CounterNames,
  headers: Record<string, string>,
): Promise<CounterSnapshot | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(2000) });
    return response.ok ? readCounters(await response.text(), names) : null;
  } catch {
    return null;
  }
}
