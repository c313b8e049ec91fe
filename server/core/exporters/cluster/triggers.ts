import type { Engine } from '../../engines/engine';
import { type Finding, finding } from '../../plan/finding';
import type { ScalingPolicy } from '../../plan/policies';
import { text, type YamlMap } from '../yaml-nodes';

/** Where Prometheus answers in a cluster set up by kube-prometheus-stack. Source: values.yaml of vLLM production-stack. */
export const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';

/** Histograms of time to first token, seconds. Sources: facts/engines: vllm.json, sglang.json, tensorrt_llm.json, lmdeploy.json. */
const TTFT_HISTOGRAMS: Readonly<Record<string, string>> = {
  vllm: 'vllm:time_to_first_token_seconds',
  sglang: 'sglang:time_to_first_token_seconds',
  'tensorrt-llm': 'trtllm_time_to_first_token_seconds',
  lmdeploy: 'lmdeploy:time_to_first_token_seconds',
};

/** A query whose value is compared with the threshold; `average`: the value is divided by the replicas first. */
export interface Trigger {
  query: string;
  threshold: string;
  metricType: 'AverageValue' | 'Value';
  note: string;
}

const gauge = (metric: string, selector: string, how: 'sum' | 'avg'): string => `${how}(${metric}{${selector}})`;

/** What a scaling policy watches, on the engine's own counters; null with the reason where it has none. */
export function triggerOf(scaling: ScalingPolicy, engine: Engine, selector: string): Trigger | { missing: string } {
  const { metric, target } = scaling;
  if (metric === null || target === null) return { missing: 'the number of replicas is fixed' };
  const threshold = String(metric === 'ttftMsP95' ? target / 1000 : target);
  if (metric === 'ttftMsP95') {
    const name = TTFT_HISTOGRAMS[engine.id];
    if (name === undefined) return { missing: `${engine.title} has no histogram of the time to first token` };
    const rate = `sum by (le) (rate(${name}_bucket{${selector}}[2m]))`;
    const query = `histogram_quantile(0.95, ${rate})`;
    return { query, threshold, metricType: 'Value', note: `${target} ms = ${threshold} s` };
  }
  const names = { queueLength: 'waiting', runningRequests: 'running', kvUsage: 'kvUsage' } as const;
  const name = engine.metricNames[names[metric]];
  if (name === undefined) return { missing: `${engine.title} has no counter for ${metric}` };
  if (metric === 'kvUsage') {
    return { query: gauge(name, selector, 'avg'), threshold, metricType: 'Value', note: 'share of the cache in use' };
  }
  return { query: gauge(name, selector, 'sum'), threshold, metricType: 'AverageValue', note: 'requests a replica' };
}

/** The longest window that a HorizontalPodAutoscaler takes, seconds. Source: autoscaling/v2 HPAScalingRules. */
const MAX_WINDOW_S = 3600;

export function windowOf({ scaleDownAfterS, nodeIds }: ScalingPolicy): { seconds: number; findings: Finding[] } {
  const seconds = Math.min(scaleDownAfterS, MAX_WINDOW_S);
  if (seconds === scaleDownAfterS) return { seconds, findings: [] };
  const message = `scaling.scaleDownAfterS ${scaleDownAfterS} is not in the file: an autoscaler waits ${MAX_WINDOW_S} s at most, which stands there.`;
  return { seconds, findings: [finding('warning', 'not-in-manifest', message, { nodeId: nodeIds[0] ?? null })] };
}

const origin = ({ nodeIds }: ScalingPolicy): string => `node ${nodeIds.join(', ')}`;

/** KEDA's trigger of a policy. */
export const kedaTrigger = (scaling: ScalingPolicy, trigger: Trigger): YamlMap => ({
  type: 'prometheus',
  metricType: trigger.metricType,
  metadata: {
    serverAddress: text(PROMETHEUS, 'your Prometheus, if it is another one'),
    query: trigger.query,
    threshold: text(trigger.threshold, `${scaling.metric ?? ''}: ${trigger.note}, ${origin(scaling)}`),
  },
});

/** Behaviour of the autoscaler below KEDA: slow down, since a new replica loads for minutes. */
export const scaleDownBehaviour = (seconds: number): YamlMap => ({
  horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: seconds } } },
});

interface ScaleTarget {
  apiVersion: string;
  kind: string;
  name: string;
}

/** A ScaledObject on the engine's own metric. */
export function scaledObject(
  scaling: ScalingPolicy,
  trigger: Trigger,
  { target, labels }: { target: ScaleTarget; labels: Readonly<Record<string, string>> },
): YamlMap {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: target.name, labels: { ...labels } },
    spec: {
      scaleTargetRef: { ...target },
      pollingInterval: scaling.pollS,
      minReplicaCount: scaling.minReplicas,
      maxReplicaCount: scaling.maxReplicas,
      advanced: scaleDownBehaviour(windowOf(scaling).seconds),
      triggers: [kedaTrigger(scaling, trigger)],
    },
  };
}
