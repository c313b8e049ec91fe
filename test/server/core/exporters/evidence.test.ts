import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { type Evidence, evidenceLines, mismatch, type Target } from '@/server/core/exporters/evidence';
import { exportPlan } from '@/server/core/exporters/export-plans';
import type { Exporter } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import { node, planOf, serving } from '@/test/fixtures/pipelines';

const value = (over: object = {}) => ({
  value: 123.456,
  low: 120.04,
  high: 127,
  unit: 'tokens/s',
  n: 3,
  interval: 'blocks' as const,
  mark: null,
  ...over,
});
const target: Target = {
  planHash: 'abc',
  engine: 'llama.cpp',
  runtime: 'llama-server',
  engineVersion: 'b10573',
  image: null,
  device: 'cpu-local × 1',
  checkpoints: [{ scope: 'target', repo: 'bundled:inferloom-demo', revision: null, format: 'gguf:F16' }],
};
const evidence: Evidence = {
  ...target,
  stamp: 'MEASURED',
  startedAt: '2026-12-01T12:00:00Z',
  headlines: [{ metric: 'outputTokensPerS', workload: 'chat', value: value() }],
  klDivergence: 0.0092,
};

/** Forms that start the server themselves; the others stand beside it. */
const launches = ({ group }: Exporter): boolean => ['command line', 'container', 'cluster'].includes(group);

describe('evidence', () => {
  it('is written with interval and count where everything matches', () => {
    expect(evidenceLines(evidence, target)).toEqual([
      'MEASURED 2026-12-01T12:00:00Z on cpu-local × 1, llama.cpp b10573',
      'output tokens/s (chat): 123.5 [120, 127] tokens/s, n = 3',
      'KL divergence from the baseline: 0.0092 nats',
    ]);
    const doubtful = {
      ...evidence,
      klDivergence: null,
      headlines: [{ metric: 'ttftMsP50', workload: 'chat', value: value({ low: null, mark: 'one block' }) }],
    };
    expect(evidenceLines(doubtful, target).slice(1)).toEqual([
      'TTFT p50 (chat): 123.5 tokens/s, n = 3; one block',
      'quality not verified',
    ]);
  });

  it.each<[Partial<Evidence>, RegExp]>([
    [{ stamp: 'SIMULATED' }, /SIMULATED/],
    [{ stamp: 'EXTERNAL' }, /EXTERNAL/],
    [{ engine: 'vllm' }, /engine/],
    [{ runtime: 'embedded' }, /runtime: run embedded, file llama-server/],
    [{ engineVersion: 'b9999' }, /engineVersion/],
    [{ image: 'ghcr.io/x:1' }, /image/],
    [{ device: 'cpu-local × 2' }, /device/],
    [{ planHash: 'other' }, /planHash/],
    [{ checkpoints: [] }, /other weights/],
  ])('does not count with %j', (over, reason) => {
    const lines = evidenceLines({ ...evidence, ...over }, target);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^not measured on this engine and device; estimate: none yet/);
    expect(lines[0]).not.toMatch(/123/);
    expect(mismatch({ ...evidence, ...over }, target)).toMatch(reason);
  });

  it('of the embedded engine never dresses a llama-server or Compose file', () => {
    const plan = planOf(serving([node('dep', 'deployment')], ['model.weights > dep.serving']));
    const component = plan.components[0];
    const ran: Evidence = {
      ...evidence,
      planHash: plan.planHash,
      runtime: 'embedded',
      engineVersion: component?.engineVersion ?? '',
    };
    for (const form of EXPORTERS.filter((entry) => launches(entry) && entry.supports(plan))) {
      const text = exportPlan(plan, form, ENGINES, ran).files[0]?.content ?? '';
      expect(text).toMatch(/Evidence: not measured on this engine and device; estimate: none yet/);
      expect(text).not.toMatch(/123\.5/);
    }
  });

  it('of llama-server dresses its command line, but not the container', () => {
    const engine = node('engine', 'engine', { runtime: 'llama-server' });
    const plan = planOf(serving([engine, node('dep', 'deployment')], ['model.weights > dep.serving']));
    const ran: Evidence = { ...evidence, planHash: plan.planHash };
    const text = (id: string): string => {
      const form = EXPORTERS.find((entry) => entry.id === id);
      return form === undefined ? '' : (exportPlan(plan, form, ENGINES, ran).files[0]?.content ?? '');
    };
    expect(text('llama-server')).toMatch(/123\.5 \[120, 127\] tokens\/s/);
    expect(text('docker-compose')).toMatch(/not measured on this engine and device/);
  });
});
