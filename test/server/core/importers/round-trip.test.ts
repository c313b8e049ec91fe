import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { exportPlan } from '@/server/core/exporters/export-plans';
import { EXPORTERS } from '@/server/core/exporters/index';
import { importText } from '@/server/core/importers/import-text';
import type { Plan } from '@/server/core/plan/plan';
import { compileDocument } from '@/test/fixtures/pipelines';
import { randomServing } from '@/test/fixtures/random-serving';

const content = (plan: Plan, id: string): string => {
  const form = EXPORTERS.find((entry) => entry.id === id);
  if (form === undefined) throw new Error(`no exporter ${id}`);
  return exportPlan(plan, form, ENGINES).files[0]?.content ?? '';
};

/** What was asked for, by setting, whoever asked. */
const askedOf = (plan: Plan): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(plan.settings)
      .filter(([, setting]) => setting.asked !== null)
      .map(([name, setting]) => [name, setting.asked])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
  );

/** A file without what names the graph: hash, node ids, deployment. */
const withoutNames = (file: string): string =>
  file
    .replace(/plan [0-9a-f]{12}/g, 'plan HASH')
    .replace(/asked for by node .*/g, 'asked for by NODE')
    .split('\n')
    .filter((line) => !line.includes('written by Inferloom'))
    .map((line) => line.replace(/ +#.*$/, '').trimEnd())
    .join('\n');

function importedPlan(text: string): Plan {
  const { pipeline, findings } = importText(text);
  expect(findings.filter((f) => f.severity === 'error')).toEqual([]);
  const compiled = compileDocument(pipeline);
  const plan = compiled.plans.find((p) => p.deploymentNodeId !== null);
  if (plan === undefined) throw new Error(`no plan: ${JSON.stringify(compiled.findings)}\n${text}`);
  return plan;
}

describe('import(export(plan))', () => {
  it.each([
    'llama-server',
    'vllm-serve',
    'docker-compose',
  ])('has the same settings and arguments: %s', (form) => {
    let ran = 0;
    fc.assert(
      fc.property(randomServing, (document) => {
        const plan = compileDocument(document).plans.find((p) => p.deployment === 'dep');
        const [component] = plan?.components ?? [];
        if (plan === undefined || component?.runtime === 'embedded') return;
        const exporter = EXPORTERS.find((entry) => entry.id === form);
        if (!exporter?.supports(plan)) return;
        const first = content(plan, form);
        const again = importedPlan(first);
        expect(askedOf(again)).toEqual(askedOf(plan));
        expect(again.request).toEqual(plan.request);
        expect(again.components[0]?.hardware).toEqual(component?.hardware);
        const second = content(again, form);
        expect(withoutNames(second)).toBe(withoutNames(first));
        // From then on only what names the graph could differ, and it no longer does.
        expect(content(importedPlan(second), form)).toBe(second);
        ran += 1;
      }),
      { numRuns: 25 },
    );
    expect(ran).toBeGreaterThan(5);
  });
});
