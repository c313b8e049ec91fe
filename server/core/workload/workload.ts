import { z } from 'zod';

export const sloSchema = z.object({
  metric: z.enum(['ttftMs', 'tpotMs', 'itlMs', 'e2eMs']),
  limitMs: z.number().positive(),
  percentile: z.number().gt(0).lt(100).default(99),
});
export type Slo = z.infer<typeof sloSchema>;

/** Closed loop: N clients, each sends when its last answer ended. Open loop: a schedule computed before the run. */
export const loadSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('closed'), concurrency: z.number().int().positive() }),
  z.object({ mode: z.literal('constant'), ratePerS: z.number().positive() }),
  z.object({ mode: z.literal('poisson'), ratePerS: z.number().positive() }),
]);
export type Load = z.infer<typeof loadSchema>;

/**
 * One traffic shape, frozen. Lengths are tokens. `prefixTokens` of each prompt are shared by all requests
 * (a system prompt); the rest is unique, drawn from the seed.
 */
export const workloadSchema = z.object({
  id: z.string(),
  nodeId: z.string().nullable(),
  title: z.string(),
  role: z.enum(['target', 'guard']),
  endpoint: z.enum(['completions', 'chat']),
  inputTokens: z.number().int().positive(),
  outputTokens: z.number().int().positive(),
  prefixTokens: z.number().int().nonnegative().default(0),
  /** Load levels: each is a point of a trial. */
  loads: z.array(loadSchema).min(1),
  warmupS: z.number().nonnegative(),
  windowS: z.number().positive(),
  requestTimeoutS: z.number().positive().default(60),
  ignoreEos: z.boolean().default(true),
  slos: z.array(sloSchema).default([]),
});
export type Workload = z.infer<typeof workloadSchema>;
