import { argsApart } from './cluster/args-apart';
import { clusterHead } from './cluster/cluster-head';
import { CONTAINER_SECURITY, HUB_TOKEN, planEnv, probeKeys, sharedMemory, wordItems } from './cluster/container';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { isEngine } from './cluster/launches';
import { dnsLabel } from './cluster/names';
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
import { argValue } from './cluster/secrets';
import { scaledObject } from './cluster/triggers';
import type { Exporter, ExportInput } from './exporter';
import { noted, text, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'Values for llm-d modelservice';
/** Source: charts/llm-d-modelservice/Chart.yaml of llm-d-incubation @3051935eb5. */
const CHART_VERSION = 'v0.4.12';
/** Hands a prompt to a prefill pod before the decode pod answers. */
const SIDECAR = 'ghcr.io/llm-d/llm-d-routing-sidecar:v0.8.0';
const SERVICE_PORT = 8000;
/** Where the decode engine listens behind the sidecar. */
const BEHIND_SIDECAR_PORT = 8200;

const PICKER = {
  policies: ['prefix-aware', 'least-loaded'],
  how: 'the endpoint picker of llm-d scores the prefix in cache and the load together',
};

const refusal: Exporter['refusal'] = (plan) =>
  refusePodsOf(plan, ['vllm'], FORM) ?? refuseSpread(plan, FORM) ?? refuseFiles(plan, FORM);

/** The chart writes model, name, port and degree itself. */
const APART = ['--tensor-parallel-size'];

/** Chart's names of accelerators by device resource. */
const ACCELERATORS: Readonly<Record<string, string>> = {
  'nvidia.com/gpu': 'nvidia',
  'amd.com/gpu': 'amd',
  'habana.ai/gaudi': 'intel-gaudi',
};

interface Context {
  input: ExportInput;
  parts: readonly PlacedComponent[];
  held: HeldPolicies;
}

const isPooled = ({ parts }: Context): boolean => parts.some(({ component }) => component.role === 'prefill');

const modelLabels = ({ input: { plan } }: Context): Record<string, string> => ({
  'llm-d.ai/inference-serving': 'true',
  'llm-d.ai/model': dnsLabel(plan.deployment),
});

/** One pool; devices come from the degree, so that they must agree. */
function pool(context: Context, part: PlacedComponent): YamlMap {
  const { launch, component, placement, image } = part;
  const { engine } = context.input;
  const { rest, numberOf } = argsApart(launch, APART);
  const port = isPooled(context) && component.role === 'decode' ? BEHIND_SIDECAR_PORT : SERVICE_PORT;
  const tensor = numberOf('--tensor-parallel-size') ?? 1;
  const limits =
    placement.resource === null
      ? undefined
      : { [placement.resource]: text(String(placement.perNode), component.hardware.id) };
  const shares = component.hardware.count > 1;
  const env = [...planEnv(part), HUB_TOKEN];
  return {
    create: true,
    replicas: context.held.replicas ?? component.replicas,
    nodeSelector: placement.nodeSelector === null ? undefined : { ...placement.nodeSelector },
    parallelism: { tensor },
    enableServiceLinks: false,
    monitoring: { podmonitor: { enabled: true, portName: 'http', path: engine.metricsPath } },
    containers: [
      {
        name: 'vllm',
        image: text(image ?? '', 'pinned'),
        modelCommand: text(
          'vllmServe',
          'the chart writes vllm serve MODEL --port --tensor-parallel-size --served-model-name',
        ),
        args: wordItems(launch, { args: rest, added: [], write: (value) => argValue(value) }),
        env,
        ports: [{ containerPort: port, name: 'http', protocol: 'TCP' }],
        ...(limits === undefined ? {} : { resources: { limits } }),
        ...probeKeys(engine.healthPath, port),
        securityContext: CONTAINER_SECURITY,
        mountModelVolume: true,
        ...(shares ? { volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }] } : {}),
      },
    ],
    ...(shares ? { volumes: [{ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: sharedMemory(engine) } }] } : {}),
  };
}

function values(context: Context): YamlMap {
  const { plan } = context.input;
  const main = context.parts.find(({ component }) => component.role !== 'prefill');
  const prefill = context.parts.find(({ component }) => component.role === 'prefill');
  const { model } = main === undefined ? { model: null } : argsApart(main.launch, APART);
  const repo = model?.value ?? '';
  const resource = main?.placement.resource ?? null;
  return {
    fullnameOverride: dnsLabel(plan.deployment),
    modelArtifacts: {
      name: text(repo, model?.origin ?? null),
      labels: modelLabels(context),
      uri: `hf://${repo}`,
      size: `${storeSize(plan).gib}Gi`,
    },
    accelerator: { type: resource === null ? 'cpu' : (ACCELERATORS[resource] ?? 'nvidia') },
    routing: {
      servicePort: SERVICE_PORT,
      proxy:
        prefill === undefined
          ? { enabled: noted(false, 'no pools: nothing to hand over') }
          : {
              enabled: true,
              image: text(SIDECAR, 'pinned'),
              imagePullPolicy: 'IfNotPresent',
              targetPort: BEHIND_SIDECAR_PORT,
              connector: 'nixlv2',
              secure: false,
            },
    },
    ...(main === undefined ? {} : { decode: pool(context, main) }),
    prefill: prefill === undefined ? { create: false, replicas: 0 } : pool(context, prefill),
  };
}

/** The pods as one pool for the inference gateway; its picker comes from the chart `inferencepool`. */
const inferencePool = (context: Context): YamlMap => {
  const name = dnsLabel(context.input.plan.deployment);
  return {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    metadata: { name },
    spec: {
      selector: { matchLabels: modelLabels(context) },
      targetPorts: [{ number: SERVICE_PORT }],
      endpointPickerRef: { name: `${name}-epp`, port: { number: 9002 } },
    },
  };
};

function gatewayDocuments(context: Context): { body: YamlMap }[] {
  const { plan } = context.input;
  const { scaling } = plan.policies;
  const pool = [{ body: inferencePool(context) }];
  if (scaling === null || context.held.trigger === null) return pool;
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: `${dnsLabel(plan.deployment)}-decode` };
  return [...pool, { body: scaledObject(scaling, context.held.trigger, { target, labels: {} }) }];
}

export const llmD: Exporter = {
  id: 'llm-d',
  group: 'cluster',
  title: 'llm-d',
  summary: 'values of the modelservice chart and the InferencePool before it, pools of prefill and decode included',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine).filter(({ component }) => isEngine(component));
    if (parts.length === 0) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const selector = `pod=~"${dnsLabel(plan.deployment)}-decode-.*"`;
    const held = holdPolicies(plan, engine, { selector, routing: [], routesOtherwise: PICKER, scales: true });
    const context: Context = { input, parts, held };
    const head = [
      ...clusterHead(plan, parts, evidence),
      `helm install NAME llm-d-modelservice/llm-d-modelservice --version ${CHART_VERSION} -f values.yaml`,
      ...needsOf(plan, engine),
    ];
    const before = [
      'Requests go through a Gateway to this pool; the endpoint picker comes from the chart inferencepool.',
    ];
    const findings = [
      ...partFindings(parts, plan),
      ...storeSize(plan).findings,
      ...held.findings,
      ...replacedRouter(plan, 'llm-d'),
    ];
    return {
      files: [
        { path: 'values.yaml', content: yamlFile(head, [{ body: values(context) }]) },
        { path: 'inference-pool.yaml', content: yamlFile(before, gatewayDocuments(context)) },
      ],
      findings,
    };
  },
};
