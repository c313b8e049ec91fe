import type { Plan } from '@/server/core/plan/plan';

/** One line of a comparison: what it is, and its value in every plan, in the plans' order. */
export interface DifferenceRow {
  group: 'settings' | 'weights' | 'engine' | 'request' | 'cost';
  name: string;
  values: readonly unknown[];
  /** True where a plan's value is what the engine does when nobody asks. */
  isDefault: readonly boolean[];
  differs: boolean;
}

type Read = (plan: Plan) => unknown;

const keysOf = (plans: readonly Plan[], read: (plan: Plan) => object): string[] =>
  [...new Set(plans.flatMap((plan) => Object.keys(read(plan))))].sort();

function row(plans: readonly Plan[], group: DifferenceRow['group'], name: string, read: Read): DifferenceRow {
  const values = plans.map(read);
  const texts = new Set(values.map((value) => JSON.stringify(value ?? null)));
  return { group, name, values, isDefault: plans.map(() => false), differs: texts.size > 1 };
}

function settingRow(plans: readonly Plan[], name: string): DifferenceRow {
  const isDefault = plans.map(({ settings }) => {
    const setting = settings[name];
    return (setting?.asked ?? null) === null && (setting?.default ?? null) !== null;
  });
  const read: Read = (plan) => plan.settings[name]?.asked ?? plan.settings[name]?.default ?? null;
  return { ...row(plans, 'settings', name, read), isDefault };
}

const engineOf: Read = (plan) =>
  plan.components.map((c) => [c.engine, c.engineVersion, c.runtime].filter(Boolean).join(' ')).join(' + ');
const hardwareOf: Read = (plan) => plan.components.map((c) => `${c.hardware.count} × ${c.hardware.id}`).join(' + ');

/** What the plans of an experiment hold, name by name. */
export function differences(plans: readonly Plan[]): DifferenceRow[] {
  const scopes = [...new Set(plans.flatMap((plan) => plan.checkpoints.map((c) => c.scope)))];
  return [
    row(plans, 'engine', 'engine', engineOf),
    row(plans, 'engine', 'hardware', hardwareOf),
    ...scopes.map((scope) =>
      row(plans, 'weights', `${scope} model`, (plan) => plan.checkpoints.find((c) => c.scope === scope)?.repo),
    ),
    ...keysOf(plans, (plan) => plan.settings).map((name) => settingRow(plans, name)),
    ...keysOf(plans, (plan) => plan.request).map((name) => row(plans, 'request', name, (plan) => plan.request[name])),
    row(plans, 'cost', 'price per hour, USD', (plan) => plan.pricePerHourUsd),
    row(plans, 'engine', 'loss class', (plan) => plan.loss),
  ];
}
