import { describe, expect, it } from 'vitest';
import { freezeExperiment } from '@/server/core/compile/freeze-experiment';
import type { Pipeline } from '@/server/core/pipeline/document';
import { hashOf } from '@/server/core/plan/canonical';
import { experimentSpecSchema } from '@/server/core/run/experiment';
import { codes, compileDocument, errorsOf, node, pipeline, serving } from '@/test/fixtures/pipelines';

const q4 = node('q4', 'gguf-quantization');
const variant = ['model.weights > q4.weights', 'q4.weights > fast.serving'];
const fast = node('fast', 'deployment', { blocks: 6, qualityBudgetKl: 0.05 });
const plain = node('plain', 'deployment', { baseline: true, primaryMetrics: ['tpotMsP50'], blocks: 12 });

describe('the baseline', () => {
  it('is the marked deployment, and comes first', () => {
    const compiled = compileDocument(serving([fast, q4, plain], [...variant, 'model.weights > plain.serving']));
    expect(compiled.plans.map((p) => [p.deployment, p.isBaseline])).toEqual([
      ['plain', true],
      ['fast', false],
    ]);
    expect(compiled.baseline).toBe('plain');
    expect(compiled.protocol).toEqual({ blocks: 12, primaryMetrics: ['tpotMsP50'], qualityBudgetKl: null });
  });

  it('is made where none is marked: same model, hardware and workload, the defaults plus the served length', () => {
    const compiled = compileDocument(serving([fast, q4], variant));
    expect(compiled.baseline).toBe('baseline');
    const [baseline] = compiled.plans;
    expect(baseline).toMatchObject({ deployment: 'baseline', deploymentNodeId: null, isBaseline: true, loss: 'none' });
    expect(baseline?.argv?.join(' ')).toBe('inferloom-engine --model inferloom-demo-f16.gguf --ctx-size 256');
    expect(baseline?.nodeIds.sort()).toEqual(['cpu', 'engine', 'model']);
    expect(compiled.protocol.blocks).toBe(6);
  });

  it('leaves an id that is taken alone', () => {
    const named = { ...fast, id: 'baseline' };
    const compiled = compileDocument(serving([named, q4], [variant[0] ?? '', 'q4.weights > baseline.serving']));
    expect(compiled.plans.map((p) => p.deployment)).toEqual(['baseline-2', 'baseline']);
    expect(compiled.baseline).toBe('baseline-2');
  });

  it('is one deployment and one plan', () => {
    const second = { ...plain, id: 'other' };
    const two = serving([plain, second], ['model.weights > plain.serving', 'model.weights > other.serving']);
    expect(errorsOf(compileDocument(two).findings)).toEqual(['several-baselines@other']);
    const swept = serving(
      [plain, node('np', 'parallel-sequences', { sequences: { $sweep: [1, 2] } })],
      ['model.weights > np.serving', 'np.serving > plain.serving'],
    );
    expect(errorsOf(compileDocument(swept).findings)).toEqual(['baseline-ambiguous@plain']);
  });

  it('is made when the marked one is bypassed', () => {
    const document = serving([fast, q4, { ...plain, bypassed: true }], [...variant, 'model.weights > plain.serving']);
    expect(compileDocument(document).plans.map((p) => p.deployment)).toEqual(['baseline', 'fast']);
  });
});

describe('hashes', () => {
  const chain = serving([plain, q4, fast], [...variant, 'model.weights > plain.serving']);
  const change = (document: Pipeline, id: string, params: Record<string, unknown>): Pipeline => ({
    ...document,
    nodes: document.nodes.map((n) => (n.id === id ? { ...n, params: { ...n.params, ...params } } : n)),
  });
  const hashes = (document: Pipeline) => {
    const plan = compileDocument(document).plans.find((p) => p.label.startsWith('Q4') || p.label.startsWith('named'));
    return { plan: plan?.planHash, launch: plan?.launchHash };
  };

  it.each<[string, string, Record<string, unknown>]>([
    ['a name', 'fast', { name: 'named' }],
    ['a limit', 'chat', { sloTtftMs: 100 }],
    ['a price', 'cpu', { pricePerHourUsd: 3 }],
    ['the load', 'chat', { concurrency: 9 }],
    ['blocks', 'fast', { blocks: 12 }],
  ])('stay the same with %s', (_, id, params) => {
    expect(hashes(change(chain, id, params))).toEqual(hashes(chain));
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['a technique', 'q4', { type: 'Q4_0' }],
    ['the number of devices', 'cpu', { count: 2 }],
    ['the device', 'cpu', { device: 'CPU-EPYC-9654-1S' }],
    ['the runtime', 'engine', { runtime: 'llama-server' }],
    ['the model', 'model', { model: 'inferloom-demo-draft' }],
  ])('change with %s', (_, id, params) => {
    const [before, after] = [hashes(chain), hashes(change(chain, id, params))];
    expect(after.plan).toBeDefined();
    expect(after.plan).not.toBe(before.plan);
    expect(after.launch).not.toBe(before.launch);
  });

  it('do not depend on ids', () => {
    const renamed = JSON.parse(JSON.stringify(chain).replaceAll('"q4"', '"zzz"').replaceAll('"fast"', '"slow"'));
    expect(hashes(renamed)).toEqual(hashes(chain));
    expect(hashOf({ b: 1, a: [2] })).toBe(hashOf({ a: [2], b: 1 }));
  });

  it('say where two arms run the same', () => {
    const twin = serving(
      [plain, { ...plain, id: 'twin', params: {} }],
      ['model.weights > plain.serving', 'model.weights > twin.serving'],
    );
    expect(compileDocument(twin).findings.map((f) => [f.code, f.nodeId])).toEqual([['same-plan', 'twin']]);
  });
});

describe('limits', () => {
  it('refuses more than 64 plans', () => {
    const swept = (n: number) => ({ $sweep: Array.from({ length: n }, (_, i) => i + 1) });
    const document = serving(
      [
        plain,
        fast,
        node('t', 'threads', { threads: swept(9) }),
        node('np', 'parallel-sequences', { sequences: swept(8) }),
      ],
      [
        'model.weights > plain.serving',
        'model.weights > t.serving',
        't.serving > np.serving',
        'np.serving > fast.serving',
      ],
    );
    const { findings, plans } = compileDocument(document);
    expect(errorsOf(findings)).toEqual(['too-many-plans@fast']);
    expect(plans).toHaveLength(64);
  });

  it('refuses more than 2,000 nodes', () => {
    const many = pipeline(
      Array.from({ length: 2001 }, (_, i) => node(`n${i}`, 'threads')),
      [],
    );
    expect(codes(compileDocument(many).findings)).toEqual(['too-many-nodes']);
  });

  it('compiles 2,000 nodes in a row', () => {
    const row = Array.from({ length: 1990 }, (_, i) => node(`t${i}`, 'threads'));
    const edges = row.slice(1).map((n, i) => `t${i}.serving > ${n.id}.serving`);
    const document = serving(
      [plain, ...row],
      ['model.weights > t0.serving', ...edges, 't1989.serving > plain.serving'],
    );
    expect(errorsOf(compileDocument(document).findings)).toEqual([]);
  });
});

describe('workloads', () => {
  const compileWith = (...workloads: ReturnType<typeof node>[]) => {
    const document = serving([plain, ...workloads], ['model.weights > plain.serving']);
    return compileDocument({
      ...document,
      nodes: document.nodes.filter((n) => n.type !== 'workload' || workloads.includes(n)),
    });
  };

  it('turns loads, limits and roles into frozen workloads, the target first', () => {
    const { workloads, findings } = compileWith(
      node('g', 'workload', { role: 'guard', mode: 'poisson', ratePerS: 2 }),
      node('t', 'workload', { name: 'Chat', concurrency: { $sweep: [1, 4] }, sloTtftMs: 200, sloPercentile: 95 }),
    );
    expect(findings).toEqual([]);
    expect(workloads.map((w) => [w.id, w.title, w.role])).toEqual([
      ['t', 'Chat', 'target'],
      ['g', 'g', 'guard'],
    ]);
    expect(workloads[0]?.loads).toEqual([
      { mode: 'closed', concurrency: 1 },
      { mode: 'closed', concurrency: 4 },
    ]);
    expect(workloads[0]?.slos).toEqual([{ metric: 'ttftMs', limitMs: 200, percentile: 95 }]);
    expect(workloads[1]?.loads).toEqual([{ mode: 'poisson', ratePerS: 2 }]);
  });

  it.each([
    ['none', [], 'no-target-workload@null'],
    ['guards only', [node('g', 'workload', { role: 'guard' })], 'no-target-workload@g'],
    ['two targets', [node('a', 'workload'), node('b', 'workload')], 'several-target-workloads@b'],
    ['a prefix beyond the prompt', [node('a', 'workload', { prefixTokens: 999 })], 'prefix-longer-than-prompt@a'],
    ['a faulty one', [node('a', 'workload', { windowS: -1 })], 'invalid-param@a'],
  ])('%s: %s', (_, workloads, expected) => {
    expect(errorsOf(compileWith(...workloads).findings)).toEqual([expected]);
  });
});

describe('freezeExperiment', () => {
  const document = serving(
    [fast, q4, plain, { ...fast, id: 'third' }],
    [...variant, 'model.weights > plain.serving', 'q4.weights > third.serving'],
  );
  const compiled = compileDocument(document);

  it('freezes every arm with the baseline first', () => {
    const { spec } = freezeExperiment(compiled, { seed: 7 });
    expect(experimentSpecSchema.parse(spec)).toEqual(spec);
    expect(spec).toMatchObject({
      seed: 7,
      blocks: 12,
      primaryMetrics: ['tpotMsP50'],
      demo: true,
      qualityBudgetKl: null,
    });
    expect(spec?.arms.map((a) => a.deployment)).toEqual(['plain', 'fast', 'third']);
  });

  it('runs chosen deployments beside the baseline', () => {
    const { spec } = freezeExperiment(compiled, { seed: 1, blocks: 2, deployments: ['third'] });
    expect(spec?.arms.map((a) => a.deployment)).toEqual(['plain', 'third']);
    expect(spec?.blocks).toBe(2);
    expect(errorsOf(freezeExperiment(compiled, { seed: 1, deployments: ['nope'] }).findings)).toEqual([
      'deployment-unknown@null',
    ]);
    expect(errorsOf(freezeExperiment(compiled, { seed: 1, workloads: ['nope'] }).findings)).toEqual([
      'workload-unknown@null',
    ]);
  });

  it('refuses while there are errors', () => {
    const broken = compileDocument(serving([plain], []));
    const { spec, findings } = freezeExperiment(broken, { seed: 1 });
    expect(spec).toBeNull();
    expect(codes(findings)).toContain('port-unconnected');
  });
});
