import { partsOf } from '../engines/lower';
import { type Finding, finding } from '../plan/finding';
import type { Component, Plan } from '../plan/plan';
import type { Disaggregation } from '../plan/policies';
import { componentOf } from './build-plan';
import { addPart, contextOf, type Defaults, type LoweredSettings, lowerSettings } from './lower-settings';
import { checkPools, poolArm } from './pools';
import type { ResolvedArm } from './resolve-arm';

/** The processes that an arm becomes. */
export interface LaidOut {
  /** Engines, each with the arm as it looks from there: in pools with devices and degrees of their own. */
  engines: { arm: ResolvedArm; component: Component }[];
  others: Component[];
  request: Plan['request'];
  findings: Finding[];
}

const ROLES = ['prefill', 'decode'] as const;

function member(arm: ResolvedArm, defaults: Defaults, pools: Disaggregation, role: (typeof ROLES)[number]) {
  const own = poolArm(arm, pools, role);
  const nodeId = pools.nodeIds[0] ?? null;
  const lowered = lowerSettings(own, defaults, (result, context) => {
    const parts = arm.engine.engine.pools?.member(role, pools, context);
    for (const part of parts === undefined ? [] : partsOf(parts)) {
      if (part.kind === 'unsupported' || part.kind === 'caution') result.findings.push(poolFinding(arm, part, nodeId));
      else addPart(result, part, { setting: 'disaggregation', scope: role, nodeId, isDefault: false });
    }
  });
  return { arm: own, lowered, component: componentOf(own, lowered, { role, replicas: pools[role].replicas }) };
}

type Objection =
  | { kind: 'unsupported'; reason: string; source: string }
  | { kind: 'caution'; message: string; source: string };

function poolFinding({ engine }: ResolvedArm, part: Objection, nodeId: string | null): Finding {
  const [severity, text] =
    part.kind === 'unsupported' ? (['error', part.reason] as const) : (['warning', part.message] as const);
  const code = severity === 'error' ? 'pools-unsupported' : 'pools-caution';
  return finding(severity, code, `${engine.engine.title}: prefill and decode in pools: ${text}.`, {
    nodeId,
    source: part.source,
  });
}

/** The router in front of the pools: a process without devices. */
function routerOf(arm: ResolvedArm, defaults: Defaults, pools: Disaggregation): Component[] {
  const router = arm.engine.engine.pools?.router(pools, contextOf(arm, defaults));
  if (router === undefined) return [];
  const nodeId = pools.nodeIds[0] ?? null;
  const shared = { setting: 'disaggregation', scope: 'target' as const, nodeId, isDefault: false };
  const args = router.args.map(({ flag, value, note }) => ({ flag, value, ...shared, note: note ?? null }));
  const words = args.flatMap(({ flag, value }) => (value === null ? [flag] : [flag, value]));
  return [
    {
      name: 'router',
      role: 'router',
      engine: arm.engine.engine.id,
      runtime: null,
      engineVersion: arm.engine.version,
      image: router.image,
      hardware: { id: 'unnamed', kind: 'cpu', count: 1 },
      replicas: 1,
      argv: [...router.command, ...words],
      args,
      env: {},
      files: [...router.files],
      config: [],
      endpoint: null,
    },
  ];
}

/** Lowers an arm into its processes: one engine, or two pools of it and a router. */
export function layOut(arm: ResolvedArm, defaults: Defaults): LaidOut {
  const pools = arm.policies.disaggregation;
  if (pools === null) {
    const lowered: LoweredSettings = lowerSettings(arm, defaults);
    const replicas = arm.policies.scaling?.minReplicas ?? 1;
    const component = componentOf(arm, lowered, { role: 'engine', replicas });
    return { engines: [{ arm, component }], others: [], request: lowered.request, findings: lowered.findings };
  }
  const faults = checkPools(arm, pools);
  if (faults.some((f) => f.severity === 'error')) return { engines: [], others: [], request: {}, findings: faults };
  const members = ROLES.map((role) => member(arm, defaults, pools, role));
  return {
    engines: members.map(({ arm: own, component }) => ({ arm: own, component })),
    others: routerOf(arm, defaults, pools),
    request: members[0]?.lowered.request ?? {},
    findings: [...faults, ...members.flatMap(({ lowered }) => lowered.findings)],
  };
}
