import { describe, expect, it } from 'vitest';
import type { NodeType } from '@/server/core/catalog/node-type';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { compileDocument, node, pipeline } from '@/test/fixtures/pipelines';

/** Parameters of those types whose defaults ask for something to be named first. */
const NAMED: Readonly<Record<string, Record<string, unknown>>> = {
  'structured-pruning': { model: 'Llama-3.2-3B' },
  'sparse-pruning': { repo: 'someone/Llama-3.1-8B-2of4' },
  'distilled-student': { model: 'Llama-3.2-1B' },
  'lora-adapter': { name: 'sql', source: 'someone/sql-lora', maxRank: 16, maxActive: 2 },
};
/** RocketKV has kernels for Blackwell only. */
const DEVICES: Readonly<Record<string, string>> = { 'kv-eviction': 'B200-SXM' };
const RUNTIMES: Readonly<Record<string, string>> = { 'llama.cpp': 'llama-server' };

/** One technique between a model and a deployment, on two GPUs; drafts and heads are connected where there is a port. */
function alone(type: NodeType, engine: string): Pipeline {
  const gives = type.outputs[0]?.gives ?? 'serving';
  const aside = gives === 'gateway' || gives === 'scaling';
  const input = type.inputs[0]?.id ?? '';
  const hasDraft = type.inputs.some((port) => port.id === 'draft');
  const draft = type.type === 'draft-speculation' ? 'Llama-3.2-1B' : 'someone/heads-of-Llama-3.1-8B';
  return pipeline(
    [
      node('model', 'model', { model: 'Llama-3.1-8B' }),
      node('engine', 'engine', { engine, runtime: RUNTIMES[engine] ?? null }),
      node('gpu', 'hardware', { device: DEVICES[type.type] ?? 'H100-SXM', count: 2 }),
      node('chat', 'workload'),
      ...(hasDraft ? [node('draft', 'model', { model: draft })] : []),
      node('t', type.type, NAMED[type.type] ?? {}),
      node('dep', 'deployment'),
    ],
    [
      ...(aside
        ? ['model.weights > dep.serving', `t.${gives} > dep.${gives}`]
        : [`model.weights > t.${input}`, `t.${gives} > dep.serving`]),
      ...(hasDraft ? ['draft.weights > t.draft'] : []),
      'engine.engine > dep.engine',
      'gpu.hardware > dep.hardware',
    ],
  );
}

const engines = ENGINES.filter((engine) => engine.id !== 'endpoint').map((engine) => engine.id);

describe.each(engines)('every technique on %s', (engine) => {
  it('becomes a plan that says what was asked, or is refused at its node with a reason and a source', () => {
    for (const type of TECHNIQUES) {
      const { plans, findings } = compileDocument(alone(type, engine));
      const errors = findings.filter((f) => f.severity === 'error');
      const plan = plans.find((p) => p.deployment === 'dep');
      const which = `${type.type}: ${errors.map((f) => `${f.code} ${f.message}`).join('; ')}`;
      if (!plan) {
        expect(errors.length, which).toBeGreaterThan(0);
        for (const error of errors) {
          expect(['t', 'draft'], which).toContain(error.nodeId);
          if (error.code === 'setting-unsupported') expect(error.source, which).toBeTruthy();
        }
        continue;
      }
      const asked = Object.keys(type.apply(type.params.parse(NAMED[type.type] ?? {}) as never));
      for (const name of asked) expect(plan.settings[name]?.origin, `${type.type}: ${name}`).toBe('t');
      const { gateway, scaling, routing, disaggregation } = plan.policies;
      const told = [gateway, scaling, routing, disaggregation].some((policy) => policy?.nodeIds.includes('t'));
      expect(told, type.type).toBe(type.policy !== undefined);
    }
  });
});

it('no technique is refused by every engine as it stands', () => {
  /** Models or parallelism of their own are needed: experts, MTP layers, several ranks. */
  const needsMore = ['mxfp4', 'expert-parallel', 'attention-data-parallel', 'mtp'];
  const taken = (type: NodeType) =>
    engines.some((engine) => compileDocument(alone(type, engine)).plans.some((plan) => plan.deployment === 'dep'));
  const refused = TECHNIQUES.filter((type) => !needsMore.includes(type.type) && !taken(type));
  expect(refused.map((type) => type.type)).toEqual([]);
});
