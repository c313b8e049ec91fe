import { describe, expect, it } from 'vitest';
import { EXPORT_GROUPS } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import type { Plan } from '@/server/core/plan/plan';
import { ENGINE_PLANS, recipePlan } from '@/test/fixtures/engine-plans';
import { exported } from '@/test/fixtures/export-form';
import { endpointPlan, POLICIES, vllmPlan, WORKLOAD } from '@/test/fixtures/gateway-plans';

const PLANS: readonly Plan[] = [
  vllmPlan(POLICIES),
  endpointPlan('https://gpu.example/v1'),
  recipePlan('awq', { tool: 'llm-compressor' }),
  recipePlan('gguf-quantization', { type: 'Q4_K_M' }, 'llama.cpp'),
  ...Object.values(ENGINE_PLANS).map((make) => make()),
].map((plan) => ({ ...plan, policies: POLICIES }));

const all = EXPORTERS.flatMap((form) =>
  PLANS.filter((plan) => form.supports(plan)).map((plan) => {
    const context = { workloads: [WORKLOAD], trial: null };
    return { form, plan, made: exported(plan, form.id, context), again: exported(plan, form.id, context) };
  }),
);

describe('every form', () => {
  it('is of a group and writes at least one of the plans, or says what it needs', () => {
    for (const form of EXPORTERS) {
      expect(EXPORT_GROUPS).toContain(form.group);
      const own = all.filter((entry) => entry.form === form);
      expect([form.id, own.length > 0]).toEqual([form.id, true]);
      const fails = own.filter(({ made }) => made.files.length === 0);
      for (const { made } of fails) expect(made.findings.map(({ severity }) => severity)).toContain('error');
    }
  });

  it('writes the same twice', () => {
    expect(
      all.filter(({ made, again }) => JSON.stringify(made) !== JSON.stringify(again)).map(({ form }) => form.id),
    ).toEqual([]);
  });

  it('pins what it names: no latest, no :main', () => {
    const odd = all.filter(({ made }) => made.files.some(({ content }) => /:(latest|main|nightly)\b/.test(content)));
    expect(odd.map(({ form }) => form.id)).toEqual([]);
  });

  it('ends each file with one line end and holds no carriage return', () => {
    const odd = all.flatMap(({ form, made }) =>
      made.files
        .filter(({ content }) => !/[^\n]\n$/.test(content) || content.includes('\r'))
        .map(({ path }) => `${form.id} ${path}`),
    );
    expect(odd).toEqual([]);
  });

  it('names paths that stay in its folder, each once', () => {
    for (const { made } of all) {
      const paths = made.files.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.filter((path) => !/^[A-Za-z0-9][\w./-]*$/.test(path) || path.includes('..'))).toEqual([]);
    }
  });
});
