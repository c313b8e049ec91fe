import type { PlanContext } from './constraints/context';
import { argumentsOf } from './context/arguments';
import { manifestFields, quantizeFields, requestFields, wishes } from './context/choices';
import { engineNamespaces } from './context/engine-namespaces';
import { backendFields, buildFields, hardwareFields } from './context/hardware-fields';
import { draftFields, modelFields } from './context/model-fields';
import { speculationOf } from './context/speculation';
import type { RuleContext } from './rule';

/** An arm in the variables of the engine constraints. What the facts do not record stays out: unknown, never assumed. */
export function armContext(ctx: RuleContext): PlanContext {
  const arg = argumentsOf(ctx);
  const own = engineNamespaces(ctx, arg);
  return {
    ...own,
    ver: ctx.version,
    arg: { ...arg, ...own.arg },
    spec: { ...speculationOf(ctx, arg), ...own.spec },
    env: ctx.component.env,
    req: requestFields(ctx),
    w: wishes(ctx),
    manifest: manifestFields(ctx),
    quantize: quantizeFields(ctx),
    model: modelFields(ctx),
    draft: draftFields(ctx),
    hw: hardwareFields(ctx),
    build: { ...buildFields(ctx), ...own.build },
    backend: backendFields(ctx),
  };
}
