import type { Slo } from '../../workload/workload';

/**
 * Alerts on how fast the error budget burns: both the long and the short window must be above the factor, so that an
 * alert comes soon and ends soon. Factors and windows: Google SRE workbook, "Alerting on SLOs", table 5-8 (30 days).
 */
export const BURN_RATES = [
  { severity: 'page', factor: 14.4, long: '1h', short: '5m', budget: '2 % in one hour' },
  { severity: 'page', factor: 6, long: '6h', short: '30m', budget: '5 % in six hours' },
  { severity: 'ticket', factor: 3, long: '1d', short: '2h', budget: '10 % in a day' },
  { severity: 'ticket', factor: 1, long: '3d', short: '6h', budget: '10 % in three days' },
] as const;

export const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;

/** Share of requests that may be late. */
export const budgetOf = ({ percentile }: Slo): number => Number((1 - percentile / 100).toPrecision(6));

/** Share of requests above the bound: all but those in the buckets up to it. `le` is written 1 or 1.0 by version. */
export function lateShare(name: string, boundS: number, selector: string, window: string): string {
  const le = Number.isInteger(boundS) ? `le=~"${boundS}|${boundS}\\\\.0"` : `le="${boundS}"`;
  const inner = selector === '' ? le : `${selector}, ${le}`;
  const all = selector === '' ? '' : `{${selector}}`;
  return `1 - (sum(rate(${name}_bucket{${inner}}[${window}])) / sum(rate(${name}_count${all}[${window}])))`;
}
