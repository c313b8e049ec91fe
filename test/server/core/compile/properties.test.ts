import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { parsePipeline, serializePipeline } from '@/server/core/pipeline/parse';
import { canonicalText } from '@/server/core/plan/canonical';
import { findingSchema } from '@/server/core/plan/finding';
import { planSchema } from '@/server/core/plan/plan';
import { RULES } from '@/server/core/rules/index';
import { workloadSchema } from '@/server/core/workload/workload';
import { anyPipeline as anyGraph, anyNear } from '@/test/fixtures/arbitrary-pipelines';
import v1 from '@/test/golden/pipeline/v1.json';

const compile = (document: Pipeline) => compilePipeline(document, { engines: ENGINES, rules: RULES });
const anyPipeline = fc.oneof(anyGraph, anyNear(parsePipeline(v1).pipeline));
const runs = { numRuns: 40 };
/** Many compilations in one test: a busy machine needs longer than Vitest's 5 s. */
const patient = { timeout: 60_000 };

describe('compilePipeline, for any graph', () => {
  it('never throws; plans, workloads and findings keep their schemas; findings name nodes that exist', patient, () => {
    fc.assert(
      fc.property(anyPipeline, (document) => {
        const { plans, workloads, findings, baseline } = compile(document);
        const ids = new Set(document.nodes.map((node) => node.id));
        for (const plan of plans) planSchema.parse(plan);
        for (const workload of workloads) workloadSchema.parse(workload);
        for (const finding of findings) {
          findingSchema.parse(finding);
          if (finding.nodeId !== null) expect(ids).toContain(finding.nodeId);
        }
        expect(new Set(plans.map((p) => p.deployment)).size).toBe(plans.length);
        if (plans.length > 0 && findings.every((f) => f.severity !== 'error'))
          expect(plans[0]?.deployment).toBe(baseline);
      }),
      runs,
    );
  });

  it('gives the same bytes twice, and after a round trip through a file', patient, () => {
    fc.assert(
      fc.property(anyPipeline, (document) => {
        const once = canonicalText(compile(document));
        expect(canonicalText(compile(structuredClone(document)))).toBe(once);
        const read = parsePipeline(JSON.parse(serializePipeline(document)));
        expect(read.findings).toEqual([]);
        expect(canonicalText(compile(read.pipeline))).toBe(once);
      }),
      runs,
    );
  });

  it('hashes what runs and not where a node stands', patient, () => {
    fc.assert(
      fc.property(anyPipeline, fc.integer(), (document, x) => {
        const moved = { ...document, nodes: document.nodes.map((n, i) => ({ ...n, position: { x: x + i, y: -i } })) };
        const hashes = (d: Pipeline) => compile(d).plans.map((p) => [p.planHash, p.launchHash]);
        expect(hashes(moved)).toEqual(hashes(document));
      }),
      runs,
    );
  });

  it('makes no plan of a deployment that stands in a circle or behind one', patient, () => {
    fc.assert(
      fc.property(anyPipeline, (document) => {
        const { plans, findings } = compile(document);
        const circles = new Set(findings.filter((f) => f.code === 'cycle').map((f) => f.nodeId));
        for (const plan of plans) for (const id of plan.nodeIds) expect(circles).not.toContain(id);
      }),
      runs,
    );
  });
});
