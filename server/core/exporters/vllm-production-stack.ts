import type { RoutingPolicy } from '../plan/policies';
import { argsApart, entry } from './cluster/args-apart';
import { clusterHead } from './cluster/cluster-head';
import { CONTAINER_SECURITY, planEnv, sharedMemory, wordItems } from './cluster/container';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { isEngine } from './cluster/launches';
import { dnsLabel, HUB_SECRET, SECRET_NAME } from './cluster/names';
import {
  needsOf,
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  refuseFiles,
  refusePodsOf,
  refuseSpread,
  replacedRouter,
  storeSize,
} from './cluster/plan-parts';
import { secretOf } from './cluster/secrets';
import { scaledObject } from './cluster/triggers';
import type { Exporter, ExportInput } from './exporter';
import { noted, text, type YamlMap, yamlFile } from './yaml-nodes';

/** Chart that these values are for. Source: helm/Chart.yaml of vllm-project/production-stack @a6c01db05f. */
const CHART_VERSION = '0.1.12';
const FORM = 'A values file of vLLM production-stack';

const refusal: Exporter['refusal'] = (plan) =>
  refusePodsOf(plan, ['vllm'], FORM) ?? refuseSpread(plan, FORM) ?? refuseFiles(plan, FORM);

/** Router's names of our routing policies; null: it has none. */
const ROUTING: Readonly<Record<RoutingPolicy['policy'], string | null>> = {
  'round-robin': 'roundrobin',
  'prefix-aware': 'prefixaware',
  session: 'session',
  'least-loaded': null,
};

/** Arguments that the chart writes from fields of its own. */
const APART = ['--revision', '--tensor-parallel-size', '--enable-prefix-caching', '--no-enable-prefix-caching'];

interface Context {
  input: ExportInput;
  parts: readonly PlacedComponent[];
  held: HeldPolicies;
}

const modelName = ({ input: { plan } }: Context, { component }: PlacedComponent): string =>
  component.role === 'engine' ? dnsLabel(plan.deployment) : component.role;

/** The chart switches prefix caching off where nothing is said, unlike the engine: the default is written out. */
function vllmConfig({ launch }: PlacedComponent): YamlMap {
  const { rest, numberOf, originOf } = argsApart(launch, APART);
  const off = originOf('--no-enable-prefix-caching');
  const why =
    off ?? originOf('--enable-prefix-caching') ?? 'the default of vLLM; the chart switches it off if nothing is said';
  const extra = wordItems(launch, { args: rest, added: [], write: (value) => value });
  return {
    enablePrefixCaching: noted(off === null, why),
    ...entry('tensorParallelSize', numberOf('--tensor-parallel-size')),
    extraArgs: extra.length === 0 ? undefined : extra,
  };
}

function nodeKeys({ placement }: PlacedComponent): YamlMap {
  const terms = Object.entries(placement.nodeSelector ?? {}).map(([key, value]) => ({
    matchExpressions: [{ key, operator: 'In', values: [value] }],
  }));
  const isNvidia = placement.resource === 'nvidia.com/gpu';
  return {
    nodeSelectorTerms: terms.length === 0 ? undefined : terms,
    runtimeClassName: isNvidia ? undefined : text('', 'the default of the chart is nvidia'),
    tolerations: isNvidia ? [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] : undefined,
  };
}

function resources({ placement, component }: PlacedComponent): YamlMap {
  if (placement.resource === null) return {};
  return { limits: { [placement.resource]: text(String(placement.perNode), component.hardware.id) } };
}

function modelSpec(context: Context, part: PlacedComponent): YamlMap {
  const { plan, engine } = context.input;
  const { launch, image, component } = part;
  const { model, textOf } = argsApart(launch, APART);
  const [repository = '', tag = ''] = (image ?? '').split(/:(?=[^:]*$)/);
  const ownEnv = launch.env.filter(({ name }) => name !== 'VLLM_API_KEY');
  // The chart sets POD_IP itself.
  const env = planEnv({ ...part, launch: { ...launch, env: ownEnv } }, true);
  return {
    name: modelName(context, part),
    repository,
    tag: text(tag, 'pinned'),
    modelURL: model === null ? '' : text(model.value, model.origin),
    ...entry('modelRevision', textOf('--revision')),
    replicaCount:
      context.held.replicas ??
      (context.held.trigger === null ? component.replicas : (plan.policies.scaling?.minReplicas ?? 1)),
    resources: resources(part),
    pvcStorage: `${storeSize(plan).gib}Gi`,
    pvcAccessMode: [(plan.policies.scaling?.maxReplicas ?? component.replicas) > 1 ? 'ReadWriteMany' : 'ReadWriteOnce'],
    ...nodeKeys(part),
    vllmConfig: vllmConfig(part),
    shmSize: component.hardware.count > 1 ? sharedMemory(engine) : undefined,
    hf_token: { secretName: HUB_SECRET.name, secretKey: HUB_SECRET.key },
    env: env.length === 0 ? undefined : env,
  };
}

/** Router in front: the chart's own. */
function routerSpec({ input: { plan }, parts }: Context, key: YamlMap | undefined): YamlMap {
  const { routing } = plan.policies;
  const isPooled = parts.some(({ component }) => component.role === 'prefill');
  const logic = isPooled
    ? 'disaggregated_prefill_orchestrated'
    : (ROUTING[routing?.policy ?? 'round-robin'] ?? 'roundrobin');
  const labels = ['--prefill-model-labels', 'prefill', '--decode-model-labels', 'decode'];
  const asker = routing === null ? null : `node ${routing.nodeIds.join(', ')}`;
  return {
    enableRouter: true,
    repository: 'lmcache/lmstack-router',
    tag: text(`v${CHART_VERSION}`, 'pinned'),
    imagePullPolicy: 'IfNotPresent',
    routingLogic: text(logic, asker),
    ...(logic === 'session' ? { sessionKey: text('x-user-id', 'requests name their session in this header') } : {}),
    ...(isPooled ? { extraArgs: labels } : {}),
    ...entry('vllmApiKey', key),
    pdb: { enabled: true, maxUnavailable: 1 },
  };
}

const probe = (path: string, port: number, failureThreshold: number): YamlMap => ({
  initialDelaySeconds: 15,
  periodSeconds: 10,
  failureThreshold,
  httpGet: { path, port },
});

/** The key of the clients: the chart hands it to engine and router. */
function keyOf({ parts }: Context): YamlMap | undefined {
  const given = parts[0]?.launch.env.find(({ name }) => name === 'VLLM_API_KEY');
  const secret = given === undefined ? null : secretOf(given.value);
  if (given === undefined || secret === null) return undefined;
  return { secretName: SECRET_NAME, secretKey: text(secret, `${given.setting}, node ${given.nodeId ?? '?'}`) };
}

/** The chart's own KEDA block takes its triggers in one form and checks them in another: the object stands here whole. */
function extraObjects(context: Context): YamlMap {
  const { scaling } = context.input.plan.policies;
  const { trigger } = context.held;
  const [part] = context.parts;
  if (scaling === null || trigger === null || part === undefined) return {};
  const name = `{{ .Release.Name }}-${modelName(context, part)}-deployment-vllm`;
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  return { extraObjects: [scaledObject(scaling, trigger, { target, labels: {} })] };
}

function values(context: Context): YamlMap {
  const { engine } = context.input;
  const key = keyOf(context);
  return {
    servingEngineSpec: {
      enableEngine: true,
      ...entry('vllmApiKey', key),
      containerPort: engine.port,
      servicePort: 80,
      imagePullPolicy: 'IfNotPresent',
      containerSecurityContext: CONTAINER_SECURITY,
      startupProbe: probe(engine.healthPath, engine.port, 180),
      readinessProbe: probe(engine.healthPath, engine.port, 3),
      livenessProbe: probe(engine.healthPath, engine.port, 6),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      serviceMonitor: { enabled: true },
      modelSpec: context.parts.map((part) => modelSpec(context, part)),
    },
    routerSpec: routerSpec(context, key),
    ...extraObjects(context),
  };
}

export const vllmProductionStack: Exporter = {
  id: 'vllm-production-stack',
  group: 'cluster',
  title: 'vLLM production-stack',
  summary: 'values for the Helm chart: engine, router, key, storage, autoscaling',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine).filter(({ component }) => isEngine(component));
    if (parts.length === 0) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const service = `{{ .Release.Name }}-${dnsLabel(plan.deployment)}-engine-service`;
    const routing = ['round-robin', 'prefix-aware', 'session'];
    const held = holdPolicies(plan, engine, { selector: `service="${service}"`, routing, scales: true });
    const context: Context = { input, parts, held };
    const head = [
      ...clusterHead(plan, parts, evidence),
      `helm install NAME vllm/vllm-stack --version ${CHART_VERSION} -f values.yaml`,
      ...needsOf(plan, engine),
    ];
    const findings = [
      ...partFindings(parts, plan),
      ...storeSize(plan).findings,
      ...held.findings,
      ...replacedRouter(plan, 'the chart'),
    ];
    return { files: [{ path: 'values.yaml', content: yamlFile(head, [{ body: values(context) }]) }], findings };
  },
};
