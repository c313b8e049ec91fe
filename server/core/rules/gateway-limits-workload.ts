import type { Finding } from '../plan/finding';
import type { GatewayPolicy } from '../plan/policies';
import type { Workload } from '../workload/workload';
import { closedConcurrency, fixParam, judged } from './judge';
import type { Rule, RuleContext } from './rule';

const MS = 1000;

/** The gateway's node that holds a field, by the names that nodes of the gateway give it. */
function placeOfField(ctx: RuleContext, gateway: GatewayPolicy, names: readonly string[]) {
  for (const node of ctx.nodes.filter(({ id }) => gateway.nodeIds.includes(id))) {
    const field = names.find((name) => Object.hasOwn(node.params, name));
    if (field !== undefined) return { nodeId: node.id, field };
  }
  return { nodeId: gateway.nodeIds[0] ?? null, field: null };
}

function queueAgainstDeadline(ctx: RuleContext, gateway: GatewayPolicy, workload: Workload): Finding[] {
  const waitS = gateway.queueTimeoutS;
  if (waitS === null || gateway.queueLimit === 0) return [];
  const place = placeOfField(ctx, gateway, ['queueTimeoutS', 'timeoutS']);
  const first =
    workload.slos.find(({ metric }) => metric === 'ttftMs') ?? workload.slos.find((s) => s.metric === 'e2eMs');
  if (first !== undefined && waitS * MS >= first.limitMs) {
    const seconds = Math.max(0.1, Math.round(first.limitMs / 2 / 100) / 10);
    const fix = fixParam(place, seconds, `Let it wait ${seconds} s`);
    const message = `A request of ${workload.title} may wait ${waitS} s in the gateway's queue, longer than the ${first.limitMs} ms that it has in all: what leaves the queue late is served for nothing.`;
    return [judged(gatewayLimitsWorkload, 'warning', message, { ...place, fix })];
  }
  if (waitS < workload.requestTimeoutS) return [];
  const message = `A request may wait ${waitS} s in the gateway's queue; clients of ${workload.title} give up after ${workload.requestTimeoutS} s, and the engine then works for nobody.`;
  return [judged(gatewayLimitsWorkload, 'warning', message, place)];
}

function outputLimit(ctx: RuleContext, gateway: GatewayPolicy, workload: Workload): Finding[] {
  const limit = gateway.maxOutputTokens;
  if (limit === null || workload.outputTokens <= limit) return [];
  const place = placeOfField(ctx, gateway, ['maxOutputTokens']);
  const fix = fixParam(place, workload.outputTokens, `Allow ${workload.outputTokens}`);
  const message = `${workload.title} asks for ${workload.outputTokens} tokens, the gateway allows ${limit}: every request is refused.`;
  return [judged(gatewayLimitsWorkload, 'error', message, { ...place, fix })];
}

function timeout(ctx: RuleContext, gateway: GatewayPolicy, workload: Workload): Finding[] {
  const limit = workload.slos.find(({ metric }) => metric === 'e2eMs');
  const ends = gateway.requestTimeoutS;
  if (ends === null || limit === undefined || ends * MS >= limit.limitMs) return [];
  const place = placeOfField(ctx, gateway, ['requestTimeoutS', 'timeoutS']);
  const message = `The gateway ends a request after ${ends} s; ${workload.title} allows ${limit.limitMs} ms: requests that would have been good are cut off.`;
  return [judged(gatewayLimitsWorkload, 'warning', message, place)];
}

function inFlight(ctx: RuleContext, gateway: GatewayPolicy, workload: Workload): Finding[] {
  const clients = closedConcurrency(workload);
  const { maxInFlight, queueLimit } = gateway;
  if (maxInFlight === null || queueLimit === null || clients <= maxInFlight + queueLimit) return [];
  const place = placeOfField(ctx, gateway, ['queueLimit', 'limit', 'maxInFlight']);
  const room = clients - maxInFlight;
  const message = `${workload.title} has ${clients} clients; the gateway passes on ${maxInFlight} and lets ${queueLimit} wait: the rest gets 429 all the time.`;
  return [
    judged(gatewayLimitsWorkload, 'warning', message, { ...place, fix: fixParam(place, room, `Let ${room} wait`) }),
  ];
}

export const gatewayLimitsWorkload: Rule = {
  id: 'gateway-limits-workload',
  summary: "the gateway's queue and limits against what the workload needs",
  source: "Little's law; METHODOLOGY: shed requests stay in the denominator and are not good",
  check(ctx) {
    const { gateway } = ctx.policies;
    if (gateway === null) return [];
    return ctx.workloads.flatMap((workload) => [
      ...queueAgainstDeadline(ctx, gateway, workload),
      ...outputLimit(ctx, gateway, workload),
      ...timeout(ctx, gateway, workload),
      ...inFlight(ctx, gateway, workload),
    ]);
  },
};
