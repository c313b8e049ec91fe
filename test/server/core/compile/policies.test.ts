import { describe, expect, it } from 'vitest';
import { freezeExperiment } from '@/server/core/compile/freeze-experiment';
import { codes, compileDocument, errorsOf, node, planOf, serving } from '@/test/fixtures/pipelines';

const gated = (...gates: [string, string, Record<string, unknown>][]) => {
  const chain = gates.map(([id]) => id);
  const edges = chain.map((id, i) => {
    const next = chain[i + 1];
    return next === undefined ? `${id}.gateway > dep.gateway` : `${id}.gateway > ${next}.gateway`;
  });
  const nodes = gates.map(([id, type, params]) => node(id, type, params));
  return serving([node('dep', 'deployment'), ...nodes], ['model.weights > dep.serving', ...edges]);
};

const scaled = (type: string, params: Record<string, unknown>) =>
  serving(
    [node('dep', 'deployment'), node('s', type, params)],
    ['model.weights > dep.serving', 's.scaling > dep.scaling'],
  );

describe('policies around the engine', () => {
  it('join limits of several nodes and keep what each says', () => {
    const { gateway } = planOf(
      gated(
        ['k', 'rate-limit-by-key', { requestsPerMinute: 60 }],
        ['i', 'rate-limit-by-ip', { requestsPerMinute: 30 }],
        ['q', 'gateway-queue', {}],
      ),
    ).policies;
    expect(gateway?.nodeIds).toEqual(['k', 'i', 'q']);
    expect(gateway?.rateLimits.map((l) => [l.by, l.requestsPerMinute])).toEqual([
      ['key', 60],
      ['ip', 30],
    ]);
    expect(gateway?.queueLimit).toBeGreaterThan(0);
    expect(gateway?.breaker).toBeNull();
  });

  it('of one field that two nodes fill differently are an error at both', () => {
    const compiled = compileDocument(
      gated(['a', 'request-limits', { maxOutputTokens: 100 }], ['b', 'request-limits', { maxOutputTokens: 200 }]),
    );
    expect(errorsOf(compiled.findings)).toEqual(['policy-conflict@a', 'policy-conflict@b']);
    expect(compiled.findings.map((f) => f.field)).toContain('maxOutputTokens');
    expect(compiled.plans.filter((p) => p.deployment === 'dep')).toEqual([]);
  });

  it('change what the plan is and leave the start of the engine alone', () => {
    const plain = planOf(gated());
    const withGate = planOf(gated(['q', 'gateway-queue', {}]));
    const renamed = planOf(gated(['other', 'gateway-queue', {}]));
    expect(withGate.planHash).not.toBe(plain.planHash);
    expect(withGate.launchHash).toBe(plain.launchHash);
    expect(renamed.planHash).toBe(withGate.planHash);
  });

  it('give replicas and their price', () => {
    const one = planOf(scaled('replicas', { count: 1 }));
    const three = planOf(scaled('replicas', { count: 3 }));
    expect(three.components.map((c) => c.replicas)).toEqual([3]);
    expect(three.launchHash).toBe(one.launchHash);
    expect(three.planHash).not.toBe(one.planHash);
    const price = (count: number) => {
      const document = scaled('replicas', { count });
      const hardware = node('cpu', 'hardware', { device: 'RTX-4090', count: 2, pricePerHourUsd: 1.5 });
      const engine = node('engine', 'engine', { engine: 'llama.cpp', runtime: 'llama-server' });
      const others = document.nodes.filter((n) => n.id !== 'cpu' && n.id !== 'engine');
      return planOf({ ...document, nodes: [...others, hardware, engine] }).pricePerHourUsd;
    };
    expect([price(1), price(3)]).toEqual([3, 9]);
  });

  it.each([
    ['a gateway in front', gated(['q', 'gateway-queue', {}]), 'q'],
    ['several replicas', scaled('replicas', { count: 2 }), 's'],
    ['replicas that come and go', scaled('autoscaling', { min: 1, max: 4 }), 's'],
  ])('%s: the experiment is refused in plain words, not measured without', (_, document, nodeId) => {
    const compiled = compileDocument(document);
    expect(errorsOf(compiled.findings)).toEqual([]);
    const { spec, findings } = freezeExperiment(compiled, { seed: 1 });
    expect(spec).toBeNull();
    expect(codes(findings)).toEqual(['exported-only']);
    expect(findings[0]).toMatchObject({ nodeId, message: expect.stringMatching(/Export it/) });
  });

  it('of a server that runs elsewhere are a gateway at most', () => {
    const document = scaled('replicas', { count: 2 });
    const engine = node('engine', 'engine', { engine: 'endpoint', url: 'https://example.com', model: 'm' });
    const nodes = [...document.nodes.filter((n) => n.id !== 'engine'), engine];
    expect(errorsOf(compileDocument({ ...document, nodes }).findings)).toContain('policy-unsupported@s');
  });
});
