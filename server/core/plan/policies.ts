import { z } from 'zod';

const count = z.number().int().positive();
const nodeId = z.string();

/** One limit of a gateway. Null: not limited in that unit. */
export const rateLimitSchema = z.object({
  by: z.enum(['key', 'ip']),
  requestsPerMinute: count.nullable(),
  tokensPerMinute: count.nullable(),
  /** Requests above the rate that pass at once. */
  burst: z.number().int().nonnegative(),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** What stands between clients and the engine. Null: the gateway does not do it. */
export const gatewayPolicySchema = z.object({
  nodeIds: z.array(nodeId).min(1),
  /** Names of the secrets that hold the clients' keys; empty: no key is asked for. */
  apiKeySecrets: z.array(z.string()),
  rateLimits: z.array(rateLimitSchema),
  /** Requests passed on at the same time. */
  maxInFlight: count.nullable(),
  /** Requests that may wait for one of those places; one more gets 429 with Retry-After. */
  queueLimit: z.number().int().nonnegative().nullable(),
  queueTimeoutS: z.number().positive().nullable(),
  breaker: z.object({ failures: count, windowS: z.number().positive(), openS: z.number().positive() }).nullable(),
  requestTimeoutS: z.number().positive().nullable(),
  /** Requests of at most that many prompt tokens leave the queue first. */
  shortFirstTokens: count.nullable(),
  maxBodyBytes: count.nullable(),
  /** Largest max_tokens that a request may ask for. */
  maxOutputTokens: count.nullable(),
});
export type GatewayPolicy = z.infer<typeof gatewayPolicySchema>;

/** How replicas are spread and grown. */
export const scalingPolicySchema = z.object({
  nodeIds: z.array(nodeId).min(1),
  minReplicas: count,
  maxReplicas: count,
  /** Null where the number is fixed (min = max). `ttftMsP95` in ms, `kvUsage` 0…1, the others in requests a replica. */
  metric: z.enum(['queueLength', 'runningRequests', 'kvUsage', 'ttftMsP95']).nullable(),
  target: z.number().positive().nullable(),
  scaleDownAfterS: z.number().int().nonnegative(),
  pollS: count,
});
export type ScalingPolicy = z.infer<typeof scalingPolicySchema>;

/** Which replica gets a request. */
export const routingPolicySchema = z.object({
  nodeIds: z.array(nodeId).min(1),
  policy: z.enum(['round-robin', 'least-loaded', 'prefix-aware', 'session']),
});
export type RoutingPolicy = z.infer<typeof routingPolicySchema>;

/** Prefill and decode in pools of their own; each pool is a component of the plan. */
export const disaggregationSchema = z.object({
  nodeIds: z.array(nodeId).min(1),
  connector: z.enum(['nixl', 'mooncake', 'lmcache']),
  prefill: z.object({ replicas: count, devices: count, tensorParallel: count }),
  decode: z.object({ replicas: count, devices: count, tensorParallel: count }),
});
export type Disaggregation = z.infer<typeof disaggregationSchema>;

/** What stands around the engine. Nodes of the gateway, scaling and serving families give parts of it. */
export const policiesSchema = z.object({
  gateway: gatewayPolicySchema.nullable(),
  scaling: scalingPolicySchema.nullable(),
  routing: routingPolicySchema.nullable(),
  disaggregation: disaggregationSchema.nullable(),
});
export type Policies = z.infer<typeof policiesSchema>;

export const NO_POLICIES: Policies = { gateway: null, scaling: null, routing: null, disaggregation: null };

type Part<T extends { nodeIds: string[] }> = Partial<Omit<T, 'nodeIds'>>;
/** What one node adds. Fields that two nodes fill differently are an error finding; lists are joined. */
export interface PolicyParts {
  gateway?: Part<GatewayPolicy>;
  scaling?: Part<ScalingPolicy>;
  routing?: Part<RoutingPolicy>;
  disaggregation?: Part<Disaggregation>;
}
