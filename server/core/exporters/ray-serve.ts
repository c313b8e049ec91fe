import { type Finding, finding } from '../plan/finding';
import { argsApart } from './cluster/args-apart';
import { clusterHead } from './cluster/cluster-head';
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
  refuseSpread,
  replacedRouter,
  storeSize,
} from './cluster/plan-parts';
import type { Exporter, ExportInput } from './exporter';
import { claim } from './kubernetes/objects';
import { engineKwargs } from './ray/engine-kwargs';
import { headGroup, RAY_IMAGE, RAY_VERSION, workerGroup } from './ray/ray-cluster';
import { noted, text, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'A Ray Serve configuration';

const refusal: Exporter['refusal'] = (plan) =>
  refusePodsOf(plan, ['vllm'], FORM) ?? refuseSpread(plan, FORM) ?? refuseFiles(plan, FORM);

/** Ray's names of devices. Source: ray/util/accelerators/accelerators.py of ray 2.56.0. */
const ACCELERATORS: Readonly<Record<string, string>> = {
  T4: 'T4',
  'V100-SXM2': 'V100',
  A10G: 'A10G',
  L4: 'L4',
  L40S: 'L40S',
  'A100-40GB-SXM': 'A100',
  'A100-40GB-PCIe': 'A100',
  'A100-80GB-SXM': 'A100',
  'A100-80GB-PCIe': 'A100',
  'H100-SXM': 'H100',
  'H100-PCIe': 'H100',
  'H100-NVL': 'H100',
  'H200-SXM': 'H200',
  'H200-NVL': 'H200',
  H20: 'H20',
  'B200-SXM': 'B200',
  'B300-SXM': 'B300',
  MI300X: 'AMD-Instinct-MI300X-OAM',
  MI325X: 'AMD-Instinct-MI325X-OAM',
  MI355X: 'AMD-Instinct-MI355X-OAM',
};

/** What Ray's autoscaler knows: requests a replica has in hand. */
const FOLLOWS = 'runningRequests';
const LACKS = `Ray Serve scales on requests in hand alone (runningRequests)`;

interface Context {
  input: ExportInput;
  parts: readonly PlacedComponent[];
  held: HeldPolicies;
}

function deploymentConfig({ input: { plan }, held }: Context, { component }: PlacedComponent): YamlMap {
  const { scaling } = plan.policies;
  if (scaling === null || held.trigger === null) return { num_replicas: held.replicas ?? component.replicas };
  return {
    autoscaling_config: {
      min_replicas: scaling.minReplicas,
      max_replicas: scaling.maxReplicas,
      target_ongoing_requests: noted(scaling.target ?? 1, `runningRequests, node ${scaling.nodeIds.join(', ')}`),
      downscale_delay_s: scaling.scaleDownAfterS,
      metrics_interval_s: scaling.pollS,
    },
  };
}

/** One LLMConfig; the first word of the command is the model. */
function llmConfig(context: Context, part: PlacedComponent): { body: YamlMap; findings: Finding[] } {
  const { engine } = context.input;
  const { rest, model } = argsApart(part.launch, []);
  const { kwargs, findings } = engineKwargs(engine, part.launch, rest);
  const accelerator = ACCELERATORS[part.component.hardware.id];
  const repo = model?.value ?? '';
  return {
    findings,
    body: {
      model_loading_config: { model_id: repo, model_source: text(repo, model?.origin ?? null) },
      ...(accelerator === undefined ? {} : { accelerator_type: accelerator }),
      engine_kwargs: kwargs,
      deployment_config: deploymentConfig(context, part),
    },
  };
}

function application(context: Context): { body: YamlMap; findings: Finding[] } {
  const configs = context.parts.map((part) => ({ role: part.component.role, ...llmConfig(context, part) }));
  const isPooled = configs.some(({ role }) => role === 'prefill');
  const args = isPooled
    ? Object.fromEntries(configs.map(({ role, body }) => [`${role}_config`, body]))
    : { llm_configs: configs.map(({ body }) => body) };
  return {
    findings: configs.flatMap(({ findings }) => findings),
    body: {
      applications: [
        {
          name: 'llm',
          route_prefix: '/',
          import_path: isPooled ? 'ray.serve.llm:build_pd_openai_app' : 'ray.serve.llm:build_openai_app',
          args,
        },
      ],
    },
  };
}

function rayService({ input, parts, held }: Context, config: string, claimName: string): YamlMap {
  const { plan, engine } = input;
  const name = dnsLabel(plan.deployment);
  const { scaling } = plan.policies;
  const count = (part: PlacedComponent) => {
    const fixed = held.replicas ?? part.component.replicas;
    return held.trigger === null || scaling === null
      ? { min: fixed, max: fixed }
      : { min: scaling.minReplicas, max: scaling.maxReplicas };
  };
  const [first] = parts;
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: {
      name,
      ...(first === undefined ? {} : { labels: objectLabels(name, first.component) }),
      annotations: { 'inferloom/plan-hash': plan.planHash },
    },
    spec: {
      serveConfigV2: config,
      rayClusterConfig: {
        rayVersion: text(RAY_VERSION),
        enableInTreeAutoscaling: held.trigger !== null,
        headGroupSpec: headGroup(),
        workerGroupSpecs: parts.map((part) => workerGroup(part, engine, claimName, count(part))),
      },
    },
  };
}

/** What the image and Ray's own server do otherwise than the plan. */
function rayFindings({ input: { plan }, parts }: Context): Finding[] {
  const version = parts[0]?.launch.version ?? '';
  const image = `rayproject/ray-llm ${RAY_VERSION} brings the vLLM of its release; the plan is for ${version}: compare them before you trust the flags.`;
  const key = parts.some(({ launch }) => launch.env.some(({ setting }) => setting === 'apiKeySecret'));
  const open =
    'apiKeySecret is not in force: Ray Serve answers requests itself and asks for no key. Put a gateway in front.';
  const where = { nodeId: plan.settings.apiKeySecret?.origin ?? null };
  return [
    finding('warning', 'engine-version-differs', image),
    ...(key ? [finding('warning', 'not-in-manifest', open, where)] : []),
  ];
}

export const rayServe: Exporter = {
  id: 'ray-serve',
  group: 'cluster',
  title: 'Ray Serve LLM',
  summary: 'a Serve configuration and the RayService that runs it, pools of prefill and decode included',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine).filter(({ component }) => isEngine(component));
    const [first] = parts;
    if (first === undefined) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const follows = plan.policies.scaling?.metric === FOLLOWS;
    const held = holdPolicies(plan, engine, {
      selector: '',
      routing: ['round-robin'],
      scales: follows,
      without: LACKS,
    });
    const context: Context = { input, parts, held };
    const app = application(context);
    const own = parts.map((part) => ({ ...part, image: RAY_IMAGE }));
    const head = [...clusterHead(plan, own, evidence), ...needsOf(plan, engine)];
    const config = yamlFile(head, [{ body: app.body }]);
    const name = dnsLabel(plan.deployment);
    const meta = { name: `${name}-weights`, labels: objectLabels(name, first.component), planHash: plan.planHash };
    const size = storeSize(plan);
    const documents = [{ body: claim(meta, size.gib, true) }, { body: rayService(context, config, meta.name) }];
    return {
      files: [
        { path: 'serve.yaml', content: config },
        { path: 'ray-service.yaml', content: yamlFile(head, documents) },
      ],
      findings: [
        ...partFindings(parts, plan),
        ...size.findings,
        ...held.findings,
        ...app.findings,
        ...rayFindings(context),
        ...replacedRouter(plan, 'Ray Serve'),
      ],
    };
  },
};
