import { clusterHead } from './cluster/cluster-head';
import { fetchWeights } from './cluster/fetch-weights';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { dnsLabel, objectLabels } from './cluster/names';
import {
  needsOf,
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  refusePods,
  refusePools,
  refuseSpread,
  storeSize,
} from './cluster/plan-parts';
import { podSpec } from './cluster/pod';
import { PROMETHEUS, type Trigger, windowOf } from './cluster/triggers';
import type { Exporter, ExportInput } from './exporter';
import { claim, configMap } from './kubernetes/objects';
import { threadsOf } from './kubernetes/workloads';
import { text, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'A KServe InferenceService';

const refusal: Exporter['refusal'] = (plan) =>
  refusePods(plan, FORM) ?? refusePools(plan, FORM) ?? refuseSpread(plan, FORM);

/** KServe's spelling of an autoscaler's trigger. */
const externalMetric = ({ query, threshold, metricType, note }: Trigger): YamlMap => ({
  type: 'External',
  external: {
    metric: { backend: 'prometheus', serverAddress: text(PROMETHEUS, 'your Prometheus, if it is another one'), query },
    target: { type: metricType, [metricType === 'Value' ? 'value' : 'averageValue']: text(threshold, note) },
  },
});

/** The fields around the pod: replicas and what they follow. */
function scalingKeys({ plan }: ExportInput, part: PlacedComponent, held: HeldPolicies): YamlMap {
  const { scaling } = plan.policies;
  if (held.trigger === null || scaling === null) {
    const replicas = held.replicas ?? part.component.replicas;
    return { minReplicas: replicas, maxReplicas: replicas };
  }
  return {
    minReplicas: scaling.minReplicas,
    maxReplicas: scaling.maxReplicas,
    autoScaling: {
      metrics: [externalMetric(held.trigger)],
      behavior: { scaleDown: { stabilizationWindowSeconds: windowOf(scaling).seconds } },
    },
  };
}

function inferenceService(input: ExportInput, part: PlacedComponent, held: HeldPolicies): YamlMap {
  const { plan, engine } = input;
  const name = dnsLabel(plan.deployment);
  const pod = podSpec({
    engine,
    part,
    placement: part.placement,
    position: null,
    hosts: (value) => value,
    name,
    claim: `${name}-weights`,
    configMap: part.component.files.length === 0 ? null : `${name}-config`,
    steps: fetchWeights(plan, engine, part.launch.version, part.image ?? '').steps,
    threads: threadsOf(plan),
    containerName: 'kserve-container',
  });
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: {
      name,
      labels: objectLabels(name, part.component),
      annotations: {
        'inferloom/plan-hash': plan.planHash,
        'serving.kserve.io/deploymentMode': text(
          'Standard',
          'plain Deployments: Knative would queue before the engine does',
        ),
        'serving.kserve.io/autoscalerClass': held.trigger === null ? 'none' : 'keda',
        'serving.kserve.io/enable-prometheus-scraping': text('true'),
        'prometheus.kserve.io/port': String(engine.port),
        'prometheus.kserve.io/path': engine.metricsPath,
      },
    },
    spec: {
      predictor: {
        ...scalingKeys(input, part, held),
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        ...pod,
      },
    },
  };
}

export const kserveInferenceService: Exporter = {
  id: 'kserve-inference-service',
  group: 'cluster',
  title: 'KServe InferenceService',
  summary: "the engine's own image as predictor, with storage and autoscaling",
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const [part] = placedComponents(plan, engine);
    if (part === undefined) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const name = dnsLabel(plan.deployment);
    const lacks = ['scaling.pollS'];
    const held = holdPolicies(plan, engine, {
      selector: `pod=~"${name}-predictor-.*"`,
      routing: ['round-robin'],
      scales: true,
      lacks,
    });
    const meta = { name: `${name}-weights`, labels: objectLabels(name, part.component), planHash: plan.planHash };
    const size = storeSize(plan);
    const files = part.component.files;
    const isShared = (plan.policies.scaling?.maxReplicas ?? part.component.replicas) > 1;
    const { byHand } = fetchWeights(plan, engine, part.launch.version, part.image ?? '');
    const documents = [
      { body: claim(meta, size.gib, isShared) },
      ...(files.length === 0
        ? []
        : [{ body: configMap({ ...meta, name: `${name}-config` }, files, (value) => value) }]),
      { body: inferenceService(input, part, held) },
    ];
    const head = [
      ...clusterHead(plan, [part], evidence),
      ...needsOf(plan, engine),
      ...byHand.map(({ file, from }) => `Put ${file} into the volume of weights: from ${from}`),
    ];
    const findings = [...partFindings([part], plan), ...size.findings, ...held.findings];
    return { files: [{ path: 'inference-service.yaml', content: yamlFile(head, documents) }], findings };
  },
};
