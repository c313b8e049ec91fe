import { type Finding, finding } from '../plan/finding';
import { clusterHead } from './cluster/cluster-head';
import { configPath } from './cluster/container';
import { holdPolicies } from './cluster/held-policies';
import { dnsLabel } from './cluster/names';
import {
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  referencedSecrets,
  refusePods,
  refusePools,
  refuseSpread,
} from './cluster/plan-parts';
import type { Exporter, ExportInput } from './exporter';
import { listenArgs } from './listen-args';
import { shellScript, word } from './shell-script';
import { noted, text, type Yaml, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'A SkyPilot task';

const refusal: Exporter['refusal'] = (plan) => {
  if (plan.components.some(({ engine }) => engine === 'llama.cpp')) {
    return `${FORM} runs one image; llama.cpp needs its weights made or fetched by another one first. Take Docker Compose or Kubernetes.`;
  }
  return refusePods(plan, FORM) ?? refusePools(plan, FORM) ?? refuseSpread(plan, FORM);
};

/** SkyPilot's names of devices; those not listed have the same name there. Source: sky/catalog of skypilot 0.14.1. */
const ACCELERATORS: Readonly<Record<string, string>> = {
  'V100-SXM2': 'V100-32GB',
  'A100-40GB-SXM': 'A100',
  'A100-40GB-PCIe': 'A100',
  'A100-80GB-SXM': 'A100-80GB',
  'A100-80GB-PCIe': 'A100-80GB',
  'H100-SXM': 'H100',
  'H100-PCIe': 'H100',
  'H100-NVL': 'H100',
  'H200-SXM': 'H200',
  'H200-NVL': 'H200',
  'B200-SXM': 'B200',
  'B300-SXM': 'B300',
  'RTX-3090': 'RTX3090',
  'RTX-4090': 'RTX4090',
  'RTX-5090': 'RTX5090',
  'RTX-A6000': 'RTXA6000',
  'RTX-6000-Ada': 'RTX6000-Ada',
};

function resources({ engine, plan }: ExportInput, { component, image }: PlacedComponent): YamlMap {
  const { hardware } = component;
  const threads = plan.settings.threads?.asked;
  const name = ACCELERATORS[hardware.id] ?? hardware.id;
  const devices: YamlMap =
    hardware.kind === 'gpu'
      ? { accelerators: { [name]: noted(hardware.count, hardware.id) } }
      : { cpus: text(typeof threads === 'number' ? `${threads}+` : '4+', 'threads') };
  return { ...devices, image_id: text(`docker:${image ?? ''}`, 'pinned'), ports: engine.port };
}

/** Files are written before the server starts. */
function fileSteps({ component }: PlacedComponent): string[] {
  return component.files.map(({ path, content }) => {
    const target = configPath(path);
    const folder = target.slice(0, target.lastIndexOf('/'));
    return `mkdir -p ${word(folder)} && printf '%s' ${word(content)} > ${word(target)}`;
  });
}

/** The script of the plan's arguments, a flag a line with its origin. */
function run({ engine }: ExportInput, part: PlacedComponent): string {
  const { launch, component } = part;
  const paths = component.files.map(({ path }) => path);
  const args = launch.args.map((arg) =>
    arg.value !== null && paths.includes(arg.value) ? { ...arg, value: configPath(arg.value) } : arg,
  );
  return shellScript({ head: [], steps: [], launch: { ...launch, args }, fixed: listenArgs(engine, launch.args) });
}

/** Where no key guards the engine's API, probes need none. */
const readiness = (input: ExportInput): Yaml => ({
  path: input.engine.healthPath,
  initial_delay_seconds: noted(1800, 'download, load and graph capture'),
  timeout_seconds: 15,
});

const POLICIES: Readonly<Record<string, string>> = { 'round-robin': 'round_robin', 'least-loaded': 'least_load' };

function service(input: ExportInput, replicas: number): YamlMap {
  const { routing } = input.plan.policies;
  const policy = routing === null ? undefined : POLICIES[routing.policy];
  return {
    readiness_probe: readiness(input),
    replicas,
    ...(policy === undefined ? {} : { load_balancing_policy: policy }),
  };
}

function task(input: ExportInput, part: PlacedComponent, replicas: number): YamlMap {
  const { plan } = input;
  const setup = fileSteps(part);
  const secrets = referencedSecrets(plan).map((name) => [name, text('', 'pass it: --secret NAME')] as const);
  return {
    name: dnsLabel(plan.deployment),
    num_nodes: 1,
    resources: resources(input, part),
    secrets: Object.fromEntries([...secrets, ['HF_TOKEN', text('', 'for gated repositories only')]]),
    service: service(input, replicas),
    ...(setup.length === 0 ? {} : { setup: `${setup.join('\n')}\n` }),
    run: run(input, part),
  };
}

const unnamed = ({ component: { hardware } }: PlacedComponent): Finding[] =>
  hardware.kind === 'cpu' || ACCELERATORS[hardware.id] !== undefined || !hardware.id.includes('-')
    ? []
    : [finding('warning', 'accelerator-name', `SkyPilot may call ${hardware.id} otherwise: see sky show-gpus.`)];

export const skypilot: Exporter = {
  id: 'skypilot',
  group: 'cluster',
  title: 'SkyPilot',
  summary: 'a task with its service, for any cloud or Kubernetes',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const [part] = placedComponents(plan, engine);
    if (part === undefined) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const without = 'SkyServe scales on requests a second, not on counters of the engine';
    const held = holdPolicies(plan, engine, { selector: '', routing: Object.keys(POLICIES), scales: false, without });
    const body = task(input, part, held.replicas ?? part.component.replicas);
    const head = [
      ...clusterHead(plan, [part], evidence),
      'sky serve up sky.yaml; sky launch sky.yaml runs one copy without the load balancer',
    ];
    const findings = [
      ...partFindings([part], plan).filter(({ code }) => code !== 'no-node-selector'),
      ...held.findings,
      ...unnamed(part),
    ];
    return { files: [{ path: 'sky.yaml', content: yamlFile(head, [{ body }]) }], findings };
  },
};
