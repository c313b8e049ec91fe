import { z } from 'zod';

/** A figure with its interval. `mark` says why a reader should doubt it (hollow on charts), null if nothing speaks against it. */
export const valueSchema = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  unit: z.string(),
  n: z.number().int().nonnegative(),
  interval: z.enum(['blocks', 'order-statistic']).nullable(),
  mark: z.string().nullable(),
});
export type Value = z.infer<typeof valueSchema>;
/** Keys are MetricKey; a metric that was not measured is absent or null. */
export type Metrics = Partial<Record<string, Value>>;
export const metricsSchema = z.record(z.string(), valueSchema);
/** The same as it is stored: only what was looked at, a null value where that gave no figure. */
export type MetricValues = z.infer<typeof metricsSchema>;
