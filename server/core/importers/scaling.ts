import { findNodeType } from '../catalog/find-node-type';
import { ENGINES } from '../engines/index';
import { listOf, recordOf, textOf } from './read-yaml';

/** A node of the scaling family with its parameters: what a manifest says about copies of the engine. */
export interface ScalingIntent {
  type: 'replicas' | 'autoscaling';
  params: Record<string, unknown>;
}

/** What became of the copies that a manifest asks for: a node, or a sentence about what has none. */
export interface Scaling {
  scaling: ScalingIntent | null;
  notKept: string[];
}

const numberOf = (value: unknown): number => Number(textOf(value) ?? Number.NaN);

/** A fixed number of copies; one needs no node. */
export function fixedReplicas(value: unknown): Scaling {
  const count = numberOf(value);
  if (!Number.isInteger(count) || count === 1) return { scaling: null, notKept: [] };
  const params = { count };
  return findNodeType('replicas')?.params.safeParse(params).success
    ? { scaling: { type: 'replicas', params }, notKept: [] }
    : { scaling: null, notKept: [`${count} replicas are one engine here.`] };
}

/** An autoscaler on one signal, as a manifest writes it. */
export interface Autoscaler {
  min: unknown;
  max: unknown;
  query: unknown;
  threshold: unknown;
  /** `AverageValue`: the value is divided by the replicas; `Value`: it is compared as it is. */
  metricType: unknown;
  calmS: unknown;
  pollS: unknown;
}

/** Counters of an engine by the name under which the scaling node knows them. */
const COUNTERS = { waiting: 'queueLength', running: 'runningRequests', kvUsage: 'kvUsage' } as const;

interface Signal {
  metric: string;
  metricType: 'AverageValue' | 'Value';
  /** The node counts in units so many times smaller. */
  units: number;
}

function signalOf(engine: string, query: string): Signal | null {
  if (/time_to_first_token/.test(query)) {
    return /histogram_quantile\(\s*0?\.95\b/.test(query)
      ? { metric: 'ttftMsP95', metricType: 'Value', units: 1000 }
      : null;
  }
  const names = ENGINES.find(({ id }) => id === engine)?.metricNames ?? {};
  const found = Object.entries(COUNTERS).find(([counter]) => {
    const name = names[counter as keyof typeof COUNTERS];
    return name !== undefined && query.includes(name);
  });
  if (found === undefined) return null;
  return { metric: found[1], metricType: found[0] === 'kvUsage' ? 'Value' : 'AverageValue', units: 1 };
}

const OTHER = 'The autoscaler follows what no scaling node knows and is not kept: add one.';

/** The autoscaling node, where it knows the signal and takes the bounds. */
export function scaledOn(engine: string, autoscaler: Autoscaler): Scaling {
  const signal = signalOf(engine, textOf(autoscaler.query) ?? '');
  const metricType = textOf(autoscaler.metricType) ?? 'AverageValue';
  if (signal === null || metricType !== signal.metricType) return { scaling: null, notKept: [OTHER] };
  const target = Math.round(numberOf(autoscaler.threshold) * signal.units * 1e6) / 1e6;
  const given = {
    min: numberOf(autoscaler.min),
    max: numberOf(autoscaler.max),
    metric: signal.metric,
    target,
    ...(autoscaler.calmS === undefined ? {} : { scaleDownAfterS: numberOf(autoscaler.calmS) }),
    ...(autoscaler.pollS === undefined ? {} : { pollS: numberOf(autoscaler.pollS) }),
  };
  const type = findNodeType('autoscaling');
  const parsed = type?.params.safeParse(given);
  if (!type || !parsed?.success) return { scaling: null, notKept: [OTHER] };
  const hasFaults = (type.faults?.(parsed.data as never) ?? []).length > 0;
  return hasFaults
    ? { scaling: null, notKept: [OTHER] }
    : { scaling: { type: 'autoscaling', params: given }, notKept: [] };
}

const windowOf = (behavior: unknown): unknown => recordOf(recordOf(behavior).scaleDown).stabilizationWindowSeconds;

/** `spec` of KEDA's ScaledObject; other forms have its fields with bounds of their own. */
export function scaledByKeda(
  engine: string,
  spec: Record<string, unknown>,
  bounds: { min: unknown; max: unknown } = { min: spec.minReplicaCount, max: spec.maxReplicaCount },
): Scaling {
  const triggers = listOf(spec.triggers).map(recordOf);
  const [trigger] = triggers;
  if (trigger === undefined || triggers.length > 1) return { scaling: null, notKept: [OTHER] };
  const { query, threshold } = recordOf(trigger.metadata);
  const { horizontalPodAutoscalerConfig } = recordOf(spec.advanced);
  return scaledOn(engine, {
    ...bounds,
    query,
    threshold,
    metricType: trigger.metricType,
    calmS: windowOf(recordOf(horizontalPodAutoscalerConfig).behavior) ?? spec.cooldownPeriod,
    pollS: spec.pollingInterval,
  });
}

/** `predictor` of KServe's InferenceService. */
export function scaledByPredictor(engine: string, predictor: Record<string, unknown>): Scaling {
  const { minReplicas: min, maxReplicas: max } = predictor;
  const { metrics, behavior } = recordOf(predictor.autoScaling);
  const [first] = listOf(metrics).map(recordOf);
  if (first === undefined) {
    return textOf(min) === textOf(max) || max === undefined ? fixedReplicas(min) : { scaling: null, notKept: [OTHER] };
  }
  const { metric, target } = recordOf(first.external);
  const { type, value, averageValue } = recordOf(target);
  const { query } = recordOf(metric);
  const threshold = averageValue ?? value;
  return scaledOn(engine, {
    min,
    max,
    query,
    threshold,
    metricType: type,
    calmS: windowOf(behavior),
    pollS: undefined,
  });
}

/** `deployment_config` of Ray Serve, which counts requests in hand. */
export function scaledByRay(engine: string, config: Record<string, unknown>): Scaling {
  const auto = recordOf(config.autoscaling_config);
  if (Object.keys(auto).length === 0) return fixedReplicas(config.num_replicas);
  return scaledOn(engine, {
    min: auto.min_replicas,
    max: auto.max_replicas,
    query: ENGINES.find(({ id }) => id === engine)?.metricNames.running,
    threshold: auto.target_ongoing_requests,
    metricType: 'AverageValue',
    calmS: auto.downscale_delay_s,
    pollS: auto.metrics_interval_s,
  });
}
