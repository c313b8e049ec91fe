import { type Finding, finding } from '../plan/finding';
import { clusterHosts, isPool } from './cluster/addresses';
import { clusterHead } from './cluster/cluster-head';
import { fetchWeights } from './cluster/fetch-weights';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { isEngine } from './cluster/launches';
import { dnsLabel, objectLabels, objectName } from './cluster/names';
import {
  needsOf,
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  refusePods,
  storeSize,
  withoutImage,
} from './cluster/plan-parts';
import type { PodInput } from './cluster/pod';
import { scaledObject } from './cluster/triggers';
import type { ExportedFile, Exporter, ExportInput } from './exporter';
import {
  claim,
  configMap,
  type Documents,
  disruptionBudget,
  headlessService,
  type ObjectMeta,
  service,
  serviceMonitor,
  servingPods,
} from './kubernetes/objects';
import { deployment, leaderWorkerSet, statefulSet, threadsOf } from './kubernetes/workloads';
import { yamlFile } from './yaml-nodes';

const refusal: Exporter['refusal'] = (plan) => refusePods(plan, 'A Kubernetes manifest');

/** Seconds between two readings of the counters where no policy says. */
const POLL_S = 15;

interface Context {
  input: ExportInput;
  parts: readonly PlacedComponent[];
  held: HeldPolicies;
  claimName: string;
}

const metaOf = ({ input: { plan } }: Context, part: PlacedComponent): ObjectMeta => {
  const name = objectName(plan, part.component);
  return { name, labels: objectLabels(name, part.component), planHash: plan.planHash };
};

const replicasOf = ({ held }: Context, { component }: PlacedComponent): number | null =>
  held.trigger === null ? (held.replicas ?? component.replicas) : null;

function podOf(context: Context, part: PlacedComponent): PodInput {
  const { plan, engine } = context.input;
  const name = objectName(plan, part.component);
  return {
    engine,
    part,
    placement: part.placement,
    position: null,
    hosts: clusterHosts(plan),
    name,
    claim: context.claimName,
    configMap: part.component.files.length === 0 ? null : `${name}-config`,
    steps: isEngine(part.component) ? fetchWeights(plan, engine, part.launch.version, part.image ?? '').steps : [],
    threads: isEngine(part.component) ? threadsOf(plan) : null,
  };
}

const serviceName = (name: string, spans: boolean): string => (spans ? `${name}-leader` : name);

/** Everything that runs and serves one component. */
function componentDocuments(context: Context, part: PlacedComponent): Documents {
  const { plan, engine } = context.input;
  const meta = metaOf(context, part);
  const pod = podOf(context, part);
  const spans = part.placement.nodes > 1;
  const selector = servingPods(meta.name, spans);
  // A LeaderWorkerSet makes a headless service of its own name.
  const serviceMeta = { ...meta, name: serviceName(meta.name, spans) };
  const isNamed = isPool(part.component) && !spans;
  const workload = spans ? leaderWorkerSet : isNamed ? statefulSet : deployment;
  const sticky = plan.policies.routing?.policy === 'session';
  const files = part.component.files;
  return [
    ...(files.length === 0
      ? []
      : [{ body: configMap({ ...meta, name: `${meta.name}-config` }, files, clusterHosts(plan)) }]),
    { body: workload(meta, pod, replicasOf(context, part)) },
    { body: isNamed ? headlessService(meta, engine, selector) : service(serviceMeta, engine, selector, sticky) },
    { body: disruptionBudget(meta, selector) },
  ];
}

/** Objects of operators that a cluster may lack: each kind in a file of its own. */
function operatorFiles(context: Context): ExportedFile[] {
  const { plan, engine } = context.input;
  const { scaling } = plan.policies;
  const [first] = context.parts;
  const monitors = context.parts
    .filter((part) => isEngine(part.component))
    .map((part) => ({
      body: serviceMonitor(metaOf(context, part), engine, part.component, scaling?.pollS ?? POLL_S),
    }));
  const head = [
    'For the Prometheus operator. One installed by kube-prometheus-stack takes only monitors with its label: add release: NAME.',
  ];
  const files = engine.metricsPath === '' ? [] : [{ path: 'monitoring.yaml', content: yamlFile(head, monitors) }];
  const { trigger } = context.held;
  if (scaling === null || trigger === null || first === undefined) return files;
  const meta = metaOf(context, first);
  const spans = first.placement.nodes > 1;
  const target = spans
    ? { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', name: meta.name }
    : { apiVersion: 'apps/v1', kind: 'Deployment', name: meta.name };
  const body = scaledObject(scaling, trigger, { target, labels: meta.labels });
  const notes = ['For KEDA; the counters come through monitoring.yaml. Replicas stand here, not in kubernetes.yaml.'];
  return [...files, { path: 'autoscaling.yaml', content: yamlFile(notes, [{ body }]) }];
}

/** What must be there before the file is applied. */
function needs({ plan, engine }: ExportInput, parts: readonly PlacedComponent[]): string[] {
  const [first] = parts;
  const byHand = first === undefined ? [] : fetchWeights(plan, engine, first.launch.version, first.image ?? '').byHand;
  return [
    ...needsOf(plan, engine),
    ...byHand.map(({ file, from }) => `Put ${file} into the volume of weights: from ${from}`),
  ];
}

export const kubernetes: Exporter = {
  id: 'kubernetes',
  group: 'cluster',
  title: 'Kubernetes',
  summary: 'a Deployment or LeaderWorkerSet with service, storage, probes, budget, autoscaling and monitoring',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine);
    const [first] = parts;
    if (first === undefined) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const name = dnsLabel(plan.deployment);
    const form = {
      selector: `service="${serviceName(name, first.placement.nodes > 1)}"`,
      routing: ['round-robin', 'session'],
      scales: true,
    };
    const held = holdPolicies(plan, engine, form);
    const context: Context = { input, parts, held, claimName: `${name}-weights` };
    const size = storeSize(plan);
    const pods =
      (plan.policies.scaling?.maxReplicas ?? 1) *
      parts.reduce((n, p) => n + p.component.replicas * p.placement.nodes, 0);
    const meta = { name: context.claimName, labels: objectLabels(name, first.component), planHash: plan.planHash };
    const documents: Documents = [
      { body: claim(meta, size.gib, pods > 1) },
      ...parts.flatMap((part) => componentDocuments(context, part)),
    ];
    const head = [...clusterHead(plan, parts, evidence), ...needs(input, parts)];
    const findings = [
      ...partFindings(parts, plan),
      ...size.findings,
      ...held.findings,
      ...poolFindings(input),
      ...withoutImage(plan, engine),
    ];
    return {
      files: [{ path: 'kubernetes.yaml', content: yamlFile(head, documents) }, ...operatorFiles(context)],
      findings,
    };
  },
};

/** Pools without a router take no request: something must hand each prompt from one to the other. */
function poolFindings({ plan }: ExportInput): Finding[] {
  const isPooled = plan.components.some(({ role }) => role === 'prefill');
  if (!isPooled || plan.components.some(({ role }) => role === 'router')) return [];
  const message =
    'The file has no router between prefill and decode: put one in front, or take Dynamo or llm-d, which bring it.';
  return [finding('warning', 'no-pool-router', message, { nodeId: plan.policies.disaggregation?.nodeIds[0] ?? null })];
}
