import { scalar } from './summarize';
import type { MetricValues } from './value';

/** Price per hour ÷ units per hour, per million. Null with the reason where nothing can be divided. */
export function costMetrics(
  pricePerHourUsd: number | null,
  perSecond: { outputTokens: number; totalTokens: number | null; requests: number },
  n: number,
): MetricValues {
  const cost = (key: string, rate: number | null): [string, ReturnType<typeof scalar>] => {
    if (pricePerHourUsd === null) return [key, scalar(key, null, 0, 'the hardware has no price')];
    if (rate === null) return [key, scalar(key, null, 0, 'the server reports no prompt tokens')];
    if (rate <= 0) return [key, scalar(key, null, 0, 'nothing was produced in the window')];
    return [key, scalar(key, (pricePerHourUsd / (rate * 3600)) * 1e6, n)];
  };
  return Object.fromEntries([
    cost('costPerMillionOutputTokens', perSecond.outputTokens),
    cost('costPerMillionTotalTokens', perSecond.totalTokens),
    cost('costPerMillionRequests', perSecond.requests),
  ]);
}
