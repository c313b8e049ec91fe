import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { exportPlan } from '@/server/core/exporters/export-plans';
import { EXPORTERS } from '@/server/core/exporters/index';
import { importText } from '@/server/core/importers/import-text';
import type { Pipeline } from '@/server/core/pipeline/document';
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

const runtimeOf = (document: Pipeline): unknown => {
  const { engine, runtime } = document.nodes.find((n) => n.type === 'engine')?.params ?? {};
  return runtime ?? engine;
};

/** Arguments that no node holds, as an import leaves them on the engine node. */
const RAW: Readonly<Record<string, string>> = {
  vllm: `--seed 7 --hf-overrides '{"a": "b c"}' --max-log-len 4`,
  'llama-server': `-ot '.ffn_.*_exps.=CPU' --mlock`,
};

const withRaw = (document: Pipeline, raw: string | undefined): Pipeline => ({
  ...document,
  nodes: document.nodes.map((n) => (n.type === 'engine' ? { ...n, params: { ...n.params, rawArgs: raw } } : n)),
});

/**
 * Settings, requests, hardware and arguments survive. The file itself is the same but for what names the first graph:
 * its hash, the deployment's and the nodes' ids. From the second file on it is the same byte for byte.
 */
function expectRoundTrip(document: Pipeline, form: string): boolean {
  const plan = compileDocument(document).plans.find((p) => p.deployment === 'dep');
  if (plan === undefined) return false;
  const first = content(plan, form);
  const again = importedPlan(first);
  expect(askedOf(again)).toEqual(askedOf(plan));
  expect(again.request).toEqual(plan.request);
  expect(again.components[0]?.hardware).toEqual(plan.components[0]?.hardware);
  const second = content(again, form);
  expect(withoutNames(second)).toBe(withoutNames(first));
  expect(content(importedPlan(second), form)).toBe(second);
  return true;
}

describe('import(export(plan))', () => {
  it.each([
    ['llama-server', ['llama-server']],
    ['vllm-serve', ['vllm']],
    ['docker-compose', ['llama-server', 'vllm']],
  ])(
    'has the same settings and arguments: %s',
    (form, runtimes) => {
      let ran = 0;
      const suited = randomServing.filter((document) => runtimes.includes(String(runtimeOf(document))));
      fc.assert(
        fc.property(suited, fc.boolean(), (document, raw) => {
          const given = raw ? withRaw(document, RAW[String(runtimeOf(document))]) : document;
          ran += Number(expectRoundTrip(given, form));
        }),
        { numRuns: 12 },
      );
      expect(ran).toBeGreaterThan(3);
    },
    60_000,
  );
});
