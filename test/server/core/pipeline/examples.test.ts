import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import { compileDocument } from '@/test/fixtures/pipelines';

describe('the demo', () => {
  it('compiles to five arms, the F16 baseline first, without an error', () => {
    const demo = EXAMPLES.find((example) => example.id === 'demo');
    if (!demo) throw new Error('no demo');
    const { plans, baseline, findings, workloads } = compileDocument(demo.pipeline);
    expect(findings.filter((f) => f.severity !== 'info')).toEqual([]);
    expect(plans.length).toBeGreaterThanOrEqual(5);
    expect(plans[0]).toMatchObject({ deployment: baseline, isBaseline: true, checkpoints: [{ format: 'gguf:F16' }] });
    const asked = new Set(
      plans
        .slice(1)
        .flatMap((p) =>
          Object.entries(p.settings).flatMap(([name, s]) => (['default', 'workload'].includes(s.origin) ? [] : [name])),
        ),
    );
    for (const setting of [
      'weightsFormat',
      'flashAttention',
      'kvCacheKeyType',
      'prefixCaching',
      'speculation',
      'maxSequences',
    ]) {
      expect(asked).toContain(setting);
    }
    expect(workloads[0]?.prefixTokens).toBeGreaterThan(0);
    expect(new Set(plans.map((p) => p.planHash)).size).toBe(plans.length);
  });

  it('stands on a grid: nodes 168 px wide do not overlap and rows are at least 96 px apart', () => {
    for (const { pipeline: document } of EXAMPLES) {
      const places = document.nodes.map((n) => n.position ?? { x: Number.NaN, y: Number.NaN });
      for (const [i, a] of places.entries()) {
        for (const b of places.slice(i + 1)) expect(Math.abs(a.x - b.x) >= 168 || Math.abs(a.y - b.y) >= 96).toBe(true);
      }
    }
  });
});
