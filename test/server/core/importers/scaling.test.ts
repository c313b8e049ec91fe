import { describe, expect, it } from 'vitest';
import { importText } from '@/server/core/importers/import-text';
import type { Plan } from '@/server/core/plan/plan';
import { exported } from '@/test/fixtures/export-form';
import { codes, node, planOf, serving } from '@/test/fixtures/pipelines';

const planWith = (type: string, params: Record<string, unknown>): Plan =>
  planOf(
    serving(
      [
        node('model', 'model', { model: 'Llama-3.1-8B' }),
        node('engine', 'engine', { engine: 'vllm' }),
        node('cpu', 'hardware', { device: 'H100-SXM' }),
        node('scale', type, params),
        node('dep', 'deployment'),
      ],
      ['model.weights > dep.serving', 'scale.scaling > dep.scaling'],
    ),
  );

/** Manifests of a form as one text, as they are applied together. */
const textOf = (plan: Plan, form: string): string =>
  exported(plan, form)
    .files.filter(({ path }) => path !== 'serve.yaml' && path !== 'monitoring.yaml')
    .map(({ content }) => content)
    .join('---\n');

const scalingOf = ({ policies }: Plan): Record<string, unknown> => ({ ...policies.scaling, nodeIds: [] });

const QUEUE = { min: 2, max: 6, metric: 'queueLength', target: 3, scaleDownAfterS: 120, pollS: 5 };

describe('copies of the engine', () => {
  it.each([
    'kubernetes',
    'kserve-inference-service',
    'kserve-llm-inference-service',
    'ray-serve',
    'vllm-production-stack',
    'skypilot',
  ])('of a fixed number come back from %s', (form) => {
    const plan = planWith('replicas', { count: 3 });
    const again = planOf(importText(textOf(plan, form)).pipeline, 'deployment');
    expect(scalingOf(again)).toEqual(scalingOf(plan));
  });

  it.each([
    ['kubernetes', QUEUE],
    ['kubernetes', { ...QUEUE, metric: 'runningRequests' }],
    ['kubernetes', { ...QUEUE, metric: 'kvUsage', target: 0.8 }],
    ['kubernetes', { ...QUEUE, metric: 'ttftMsP95', target: 750 }],
    ['kserve-llm-inference-service', QUEUE],
    ['vllm-production-stack', QUEUE],
    ['dynamo', QUEUE],
    ['ray-serve', { ...QUEUE, metric: 'runningRequests' }],
    // KServe's own form does not say how often it looks.
    ['kserve-inference-service', { ...QUEUE, pollS: 15 }],
  ])('by a signal come back from %s: %j', (form, params) => {
    const plan = planWith('autoscaling', params);
    const { pipeline, findings } = importText(textOf(plan, form));
    expect(codes(findings.filter(({ severity }) => severity === 'error'))).toEqual([]);
    const again = planOf(pipeline, 'deployment');
    expect(scalingOf(again)).toEqual(scalingOf(plan));
    expect(again.argv).toEqual(plan.argv);
  });

  it('by a signal that no node knows are named', () => {
    const text = textOf(planWith('autoscaling', QUEUE), 'kubernetes').replace(
      'vllm:num_requests_waiting',
      'nvidia_gpu',
    );
    const { pipeline, findings } = importText(text);
    expect(pipeline.nodes.filter(({ type }) => type === 'autoscaling')).toEqual([]);
    expect(findings.map(({ message }) => message).join('\n')).toContain('The autoscaler follows');
  });
});
