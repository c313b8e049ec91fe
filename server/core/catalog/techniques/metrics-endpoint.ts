import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const metricsEndpoint: NodeType = defineNodeType({
  type: 'metrics-endpoint',
  family: 'serving',
  group: 'Observation',
  title: 'Metrics endpoint',
  summary: 'The engine answers /metrics for Prometheus: queue, cache, tokens.',
  aliases: ['Prometheus', '/metrics', 'observability', 'Grafana'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Metrics served or not.') }),
  apply: (p) => ({ metricsEndpoint: { value: p.state, field: 'state' } }),
  settings: ['metricsEndpoint'],
  label: (p) => `metrics ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Every deployment: dashboards, alerts and autoscaling read it. SGLang and llama.cpp have it off by default.',
    helps: [],
    hurtsWhen: 'Never noticeably; it must not be reachable from outside.',
    references: ['https://prometheus.io/docs/instrumenting/exposition_formats/'],
  },
});
