import { type Finding, finding } from '../plan/finding';
import type { Disaggregation } from '../plan/policies';
import type { ResolvedArm } from './resolve-arm';

const SOURCE = 'facts/engines/techniques.md, 6. Serving: disaggregated prefill/decode';

const devicesOf = ({ prefill, decode }: Disaggregation): number =>
  prefill.replicas * prefill.devices + decode.replicas * decode.devices;

/** The arm as one pool sees it: its devices, its tensor parallelism, and what was asked in its scope alone. */
export function poolArm(arm: ResolvedArm, pools: Disaggregation, role: 'prefill' | 'decode'): ResolvedArm {
  const { devices, tensorParallel } = pools[role];
  const asked = arm.asked.copy();
  const nodeId = pools.nodeIds[0] ?? '';
  asked.set({ scope: 'target', name: 'tensorParallel', value: tensorParallel, nodeId, field: `${role}TensorParallel` });
  for (const own of arm.asked.list()) {
    if (own.scope === role) asked.set({ ...own, scope: 'target' });
    if (own.scope === 'prefill' || own.scope === 'decode') asked.remove(own);
  }
  const { hardware } = arm;
  const price = hardware.pricePerHourUsd;
  const pricePerHourUsd = price === null ? null : (price / hardware.count) * devices;
  return { ...arm, asked, hardware: { ...hardware, count: devices, pricePerHourUsd } };
}

function checkDevices({ hardware }: ResolvedArm, pools: Disaggregation): Finding[] {
  const needed = devicesOf(pools);
  if (needed === hardware.count) return [];
  const nodeId = hardware.nodeId;
  const message = `The pools take ${needed} devices (prefill ${pools.prefill.replicas} × ${pools.prefill.devices}, decode ${pools.decode.replicas} × ${pools.decode.devices}); the hardware node has ${hardware.count}.`;
  const edits = nodeId === null ? [] : [{ op: 'set-param' as const, nodeId, field: 'count', value: needed }];
  const fix = nodeId === null ? null : { label: `Set the count to ${needed}`, edits };
  return needed > hardware.count
    ? [finding('error', 'pools-need-devices', message, { nodeId, field: 'count', fix })]
    : [finding('warning', 'pools-leave-devices', message, { nodeId, field: 'count', fix })];
}

/** What forbids pools: an engine without them, other degrees or replicas beside theirs, too few devices. */
export function checkPools(arm: ResolvedArm, pools: Disaggregation): Finding[] {
  const nodeId = pools.nodeIds[0] ?? null;
  const { engine } = arm.engine;
  if (engine.pools === undefined) {
    const message = `${engine.title} cannot run prefill and decode in pools of their own: no flag of it hands a cache from one server to another.`;
    return [finding('error', 'pools-unsupported', message, { nodeId, source: SOURCE })];
  }
  const findings = checkDevices(arm, pools);
  const degree = arm.asked.get('tensorParallel');
  if (degree && [pools.prefill, pools.decode].some((pool) => pool.tensorParallel !== degree.value)) {
    const message = `"${degree.nodeId}" sets ${degree.value} tensor-parallel ranks, the pools of "${nodeId}" ${pools.prefill.tensorParallel} and ${pools.decode.tensorParallel}. Remove or bypass one.`;
    const where = { nodeId: degree.nodeId, field: degree.field };
    findings.push(
      finding('error', 'setting-conflict', message, where),
      finding('error', 'setting-conflict', message, { nodeId }),
    );
  }
  const scaling = arm.policies.scaling;
  if (scaling !== null) {
    const message =
      'The pools have replicas of their own: a scaling node says nothing of which pool it means. Remove or bypass it.';
    findings.push(finding('error', 'scaling-with-pools', message, { nodeId: scaling.nodeIds[0] ?? null }));
  }
  return findings;
}
