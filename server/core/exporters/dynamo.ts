import type { Engine } from '../engines/engine';
import { type Finding, finding } from '../plan/finding';
import type { Arg } from '../plan/plan';
import { argsApart } from './cluster/args-apart';
import { clusterHead } from './cluster/cluster-head';
import { CONTAINER_SECURITY, HUB_TOKEN, planEnv, sharedMemory, wordItems } from './cluster/container';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { isEngine } from './cluster/launches';
import { dnsLabel, objectLabels } from './cluster/names';
import {
  needsOf,
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  refuseFiles,
  refusePodsOf,
  replacedRouter,
  storeSize,
} from './cluster/plan-parts';
import { argValue } from './cluster/secrets';
import { scaledObject } from './cluster/triggers';
import type { Exporter, ExportInput } from './exporter';
import { claim } from './kubernetes/objects';
import { text, type Yaml, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'A DynamoGraphDeployment';

/**
 * Dynamo's engines: it starts a worker module around the same arguments. TensorRT-LLM is not among them, since its
 * worker takes other arguments than trtllm-serve. Source: examples/backends/* /deploy/v1beta1 of ai-dynamo/dynamo @04521f473b.
 */
const BACKENDS: Readonly<Record<string, { framework: string; module: string; model: string; runtime: string }>> = {
  vllm: { framework: 'vllm', module: 'dynamo.vllm', model: '--model', runtime: 'vllm-runtime' },
  sglang: { framework: 'sglang', module: 'dynamo.sglang', model: '--model-path', runtime: 'sglang-runtime' },
};
const VERSION = '1.3.1';

const refusal: Exporter['refusal'] = (plan) => {
  if (plan.components.some(({ engine }) => engine === 'tensorrt-llm')) {
    return `${FORM} for TensorRT-LLM starts a worker with other arguments than trtllm-serve, which ${plan.deployment} uses: how they correspond is not recorded.`;
  }
  return refusePodsOf(plan, Object.keys(BACKENDS), FORM) ?? refuseFiles(plan, FORM);
};

interface Context {
  input: ExportInput;
  parts: readonly PlacedComponent[];
  held: HeldPolicies;
  claimName: string;
}

const runtimeImage = (engine: Engine): string =>
  `nvcr.io/nvidia/ai-dynamo/${BACKENDS[engine.id]?.runtime ?? ''}:${VERSION}`;

const image = ({ input: { engine } }: Context): Yaml => text(runtimeImage(engine), 'pinned');

const CACHE = '/home/dynamo/.cache/huggingface';

const disaggregation = (role: string, given: readonly Arg[]): Arg[] => {
  if (role !== 'prefill' && role !== 'decode') return [];
  const flag = '--disaggregation-mode';
  if (given.some((arg) => arg.flag === flag)) return [];
  const note = 'Dynamo hands prompts over by it';
  return [{ flag, value: role, setting: null, scope: 'target', nodeId: null, isDefault: false, note }];
};

/** The worker's arguments: the engine's own, the model by name. */
function workerArgs({ input: { engine } }: Context, { launch, component }: PlacedComponent): Yaml[] {
  const { rest, model } = argsApart(launch, []);
  const flag = BACKENDS[engine.id]?.model ?? '--model';
  const named = model === null ? [] : [text(flag, model.origin), text(argValue(model.value))];
  const added = disaggregation(component.role, rest);
  return [...named, ...wordItems(launch, { args: rest, added, write: (value) => argValue(value) })];
}

function worker(context: Context, part: PlacedComponent): YamlMap {
  const { component, placement } = part;
  const { engine } = context.input;
  const limits =
    placement.resource === null
      ? undefined
      : { [placement.resource]: text(String(placement.perNode), component.hardware.id) };
  const isNvidia = placement.resource === 'nvidia.com/gpu';
  const scales = context.held.trigger !== null;
  return {
    name: component.role === 'engine' ? 'worker' : component.role,
    type: component.role === 'engine' ? 'worker' : component.role,
    replicas: context.held.replicas ?? component.replicas,
    ...(scales ? { scalingAdapter: {} } : {}),
    ...(placement.nodes > 1 ? { multinode: { nodeCount: placement.nodes } } : {}),
    sharedMemorySize: sharedMemory(engine),
    podTemplate: {
      spec: {
        nodeSelector: placement.nodeSelector === null ? undefined : { ...placement.nodeSelector },
        tolerations: isNvidia ? [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] : undefined,
        containers: [
          {
            name: 'main',
            image: image(context),
            command: ['python3', '-m', BACKENDS[engine.id]?.module ?? ''],
            args: workerArgs(context, part),
            env: [...planEnv({ ...part, launch: { ...part.launch, env: engineEnv(part) } }), HUB_TOKEN],
            ...(limits === undefined ? {} : { resources: { limits } }),
            securityContext: CONTAINER_SECURITY,
            volumeMounts: [{ name: 'weights', mountPath: CACHE }],
          },
        ],
        volumes: [{ name: 'weights', persistentVolumeClaim: { claimName: context.claimName } }],
      },
    },
  };
}

/** Variables that reach the engine; its HTTP server's key does not, since Dynamo's frontend answers. */
const engineEnv = ({ launch }: PlacedComponent) => launch.env.filter(({ setting }) => setting !== 'apiKeySecret');

function frontend(context: Context): YamlMap {
  const { routing } = context.input.plan.policies;
  const isKv = routing?.policy === 'prefix-aware';
  const mode: YamlMap = {
    name: 'DYN_ROUTER_MODE',
    value: text('kv', `prefix-aware, node ${routing?.nodeIds.join(', ') ?? ''}`),
  };
  return {
    name: 'frontend',
    type: 'frontend',
    replicas: 1,
    podTemplate: {
      spec: {
        containers: [
          {
            name: 'main',
            image: image(context),
            ...(isKv ? { env: [mode] } : {}),
            securityContext: CONTAINER_SECURITY,
          },
        ],
      },
    },
  };
}

function graphDeployment(context: Context, name: string): YamlMap {
  const { plan, engine } = context.input;
  const [first] = context.parts;
  return {
    apiVersion: 'nvidia.com/v1beta1',
    kind: 'DynamoGraphDeployment',
    metadata: {
      name,
      ...(first === undefined ? {} : { labels: objectLabels(name, first.component) }),
      annotations: { 'inferloom/plan-hash': plan.planHash },
    },
    spec: {
      backendFramework: BACKENDS[engine.id]?.framework ?? '',
      components: [frontend(context), ...context.parts.map((part) => worker(context, part))],
    },
  };
}

/** The adapter of a component carries the scale that an autoscaler sets. */
function autoscaling({ input: { plan }, held, parts }: Context, name: string): { body: YamlMap }[] {
  const { scaling } = plan.policies;
  const [first] = parts;
  if (scaling === null || held.trigger === null || first === undefined) return [];
  const target = {
    apiVersion: 'nvidia.com/v1beta1',
    kind: 'DynamoGraphDeploymentScalingAdapter',
    name: `${name}-worker`,
  };
  return [{ body: scaledObject(scaling, held.trigger, { target, labels: objectLabels(name, first.component) }) }];
}

function dynamoFindings({ input: { plan }, parts }: Context): Finding[] {
  const version = parts[0]?.launch.version ?? '';
  const runtime = `Dynamo ${VERSION} brings an engine of its own release; the plan is for ${version}: compare them before you trust the flags.`;
  const hasKey = parts.some(({ launch }) => launch.env.some(({ setting }) => setting === 'apiKeySecret'));
  const open = "apiKeySecret is not in force: Dynamo's frontend asks for no key. Put a gateway in front.";
  const where = { nodeId: plan.settings.apiKeySecret?.origin ?? null };
  return [
    finding('warning', 'engine-version-differs', runtime),
    ...(hasKey ? [finding('warning', 'not-in-manifest', open, where)] : []),
  ];
}

export const dynamo: Exporter = {
  id: 'dynamo',
  group: 'cluster',
  title: 'NVIDIA Dynamo',
  summary: 'a DynamoGraphDeployment: frontend with router, workers or pools, several nodes a replica',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine).filter(({ component }) => isEngine(component));
    const [first] = parts;
    if (first === undefined) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const name = dnsLabel(plan.deployment);
    const routing = ['round-robin', 'prefix-aware'];
    const held = holdPolicies(plan, engine, { selector: `pod=~"${name}-worker-.*"`, routing, scales: true });
    const context: Context = { input, parts, held, claimName: `${name}-weights` };
    const meta = { name: context.claimName, labels: objectLabels(name, first.component), planHash: plan.planHash };
    const size = storeSize(plan);
    const own = parts.map((part) => ({ ...part, image: runtimeImage(engine) }));
    const head = [...clusterHead(plan, own, evidence), ...needsOf(plan, engine)];
    const documents = [
      { body: claim(meta, size.gib, true) },
      { body: graphDeployment(context, name) },
      ...autoscaling(context, name),
    ];
    const findings = [
      ...partFindings(parts, plan),
      ...size.findings,
      ...held.findings,
      ...dynamoFindings(context),
      ...replacedRouter(plan, 'Dynamo'),
    ];
    return { files: [{ path: 'dynamo.yaml', content: yamlFile(head, documents) }], findings };
  },
};
