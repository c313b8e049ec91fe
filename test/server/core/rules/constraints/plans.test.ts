import { describe, expect, it } from 'vitest';
import { checkConstraints } from '@/server/core/rules/constraints/check-constraints';
import { CONSTRAINT_ENGINES } from '@/server/core/rules/constraints/tables';
import table from '@/test/fixtures/constraints/plans.json';
import type { SetUp } from '@/test/fixtures/constraints/set-up';

const PLANS = table.plans as unknown as SetUp[];

const refusals = ({ engine, context }: SetUp): string[] =>
  checkConstraints(engine, context)
    .violated.filter((violation) => violation.level === 'error')
    .map((violation) => violation.id);

describe('plans of real set-ups', () => {
  it('covers every engine with valid plans and with invalid ones', () => {
    expect(PLANS).toHaveLength(196);
    const covered = (verdict: string) => new Set(PLANS.filter((p) => p.expect === verdict).map((p) => p.engine));
    expect([...covered('valid')].sort()).toEqual([...CONSTRAINT_ENGINES].sort());
    expect([...covered('invalid')].sort()).toEqual([...CONSTRAINT_ENGINES].sort());
  });

  const valid = PLANS.filter((plan) => plan.expect === 'valid');
  it.each(valid)('$engine: $name is not refused', (plan) => {
    expect(refusals(plan)).toEqual([]);
  });

  const invalid = PLANS.filter((plan) => plan.expect === 'invalid');
  it.each(invalid)('$engine: $name is refused by $rule', (plan) => {
    expect(refusals(plan)).toContain(plan.rule);
  });
});
