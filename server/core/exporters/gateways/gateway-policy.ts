import { type Finding, finding } from '../../plan/finding';
import type { Plan } from '../../plan/plan';
import type { GatewayPolicy, RateLimit } from '../../plan/policies';

/** Why a plan has nothing for the file of a gateway; null where it has. */
export const refuseWithoutGateway = (plan: Plan, form: string): string | null =>
  plan.policies.gateway === null
    ? `${form} writes the gateway of a plan; ${plan.deployment} has no gateway node (rate limit, API keys, breaker, …).`
    : null;

/** A policy that the form holds in a way of its own: what is the same and what is not. */
export const heldOtherwise = (path: string, policy: { nodeIds: readonly string[] }, how: string): Finding =>
  finding('warning', 'held-otherwise', `${path}: ${how}.`, { nodeId: policy.nodeIds[0] ?? null });

/** The part of a rate limit that counts tokens, where a form counts requests only. */
export const tokensLeftOut = (gateway: GatewayPolicy, reason: string): Finding[] =>
  gateway.rateLimits
    .map((limit, i): [RateLimit, number] => [limit, i])
    .filter(([{ tokensPerMinute }]) => tokensPerMinute !== null)
    .map(([{ tokensPerMinute, by }, i]) =>
      finding(
        'warning',
        'not-in-manifest',
        `gateway.rateLimits[${i}] tokensPerMinute ${tokensPerMinute} by ${by} is not in the file: ${reason}.`,
        { nodeId: gateway.nodeIds[0] ?? null },
      ),
    );

/** Seconds after which one more request fits under a limit of requests. */
const secondsPerRequest = (requestsPerMinute: number): number => Math.max(1, Math.ceil(60 / requestsPerMinute));

/** Retry-After of a rejected request: by the slowest of the limits, at least one second. */
export const retryAfterS = (gateway: GatewayPolicy): number =>
  Math.max(1, ...gateway.rateLimits.flatMap(({ requestsPerMinute: n }) => (n === null ? [] : [secondsPerRequest(n)])));

/** One error format for whatever a gateway answers itself, as OpenAI's clients read it. */
export const errorBody = (code: number, type: string, message: string): string =>
  JSON.stringify({ error: { message, type, code } });
