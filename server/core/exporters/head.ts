import type { Plan } from '../plan/plan';
import { checkpointsOf, deviceOf, type Evidence, evidenceLines } from './evidence';
import { launchedComponent } from './exporter';
import type { Launch } from './launch';

/** What stands at the top of every file: what it is, what it launches, and the evidence for it. */
export function headLines(plan: Plan, launch: Launch, image: string | null, evidence: Evidence | null): string[] {
  const component = launchedComponent(plan);
  if (component === null) return [];
  const device = deviceOf(component.hardware);
  const { engine } = component;
  const name = launch.runtime ?? engine;
  const target = {
    planHash: plan.planHash,
    engine,
    runtime: launch.runtime,
    engineVersion: launch.version,
    image,
    device,
    checkpoints: checkpointsOf(plan.checkpoints),
  };
  const missing = launch.findings.filter((f) => f.code === 'not-in-manifest').map((f) => `Missing: ${f.message}`);
  return [
    `${plan.label} (${plan.deployment}), written by Inferloom from plan ${plan.planHash.slice(0, 12)}`,
    `Engine: ${name} ${launch.version}${image === null ? '' : ` (${image})`}; hardware: ${device}`,
    ...evidenceLines(evidence, target).map((line, i) => (i === 0 ? `Evidence: ${line}` : `  ${line}`)),
    ...(launch.implicit.length === 0 ? [] : [`The engine's default, no argument: ${launch.implicit.join(', ')}`]),
    ...(Object.keys(launch.told).length === 0
      ? []
      : [`Settings that no argument tells in full: ${JSON.stringify(launch.told)}`]),
    ...missing,
  ];
}
