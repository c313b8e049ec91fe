import type { Engine } from '../engines/engine';
import type { ScalingPolicy } from '../plan/policies';
import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

type Metric = NonNullable<ScalingPolicy['metric']>;

/** Counter of the engine behind each scaling metric. */
const COUNTER: Readonly<Record<Exclude<Metric, 'ttftMsP95'>, keyof Engine['metricNames']>> = {
  queueLength: 'waiting',
  runningRequests: 'running',
  kvUsage: 'kvUsage',
};

/** Engines that export a histogram of the time to the first token. */
const WITH_TTFT = ['vllm', 'sglang', 'tensorrt-llm', 'lmdeploy'];

const exportsMetric = (engine: Engine, metric: Metric): boolean =>
  metric === 'ttftMsP95' ? WITH_TTFT.includes(engine.id) : engine.metricNames[COUNTER[metric]] !== undefined;

const ALL: readonly Metric[] = ['queueLength', 'runningRequests', 'kvUsage', 'ttftMsP95'];

export const scalingMetric: Rule = {
  id: 'scaling-metric',
  summary: 'the autoscaler follows a metric that the engine must export',
  source: 'metric tables of facts/engines/*.json',
  check(ctx) {
    const { scaling } = ctx.policies;
    if (scaling === null || scaling.metric === null || ctx.engine.id === 'endpoint') return [];
    const nodeId = scaling.nodeIds.find((id) => ctx.nodes.find((node) => node.id === id)?.params.metric !== undefined);
    const place = { nodeId: nodeId ?? scaling.nodeIds[0] ?? null, field: 'metric' };
    if (!exportsMetric(ctx.engine, scaling.metric)) {
      const others = ALL.filter((metric) => exportsMetric(ctx.engine, metric));
      const [instead] = others;
      const what = others.length === 0 ? 'it exports none of them' : `it exports ${others.join(', ')}`;
      const message = `${ctx.engine.title} exports no ${scaling.metric}; ${what}.`;
      const fix = instead === undefined ? null : fixParam(place, instead, `Scale on ${instead}`);
      return [judged(this, 'error', message, { ...place, fix })];
    }
    if (ctx.asked('metricsEndpoint')?.value !== 'off') return [];
    const off = placeOf(ctx, 'metricsEndpoint');
    const message = `Replicas follow ${scaling.metric}, but the metrics endpoint is switched off.`;
    return [judged(this, 'error', message, { ...off, fix: fixParam(off, 'on', 'Switch it on') })];
  },
};
