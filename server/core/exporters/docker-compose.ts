import { Document, type YAMLMap } from 'yaml';
import { type Finding, finding } from '../plan/finding';
import type { Component, Plan } from '../plan/plan';
import { clusterHead } from './cluster/cluster-head';
import { devicesPerNode } from './cluster/devices';
import { componentLaunches, isEngine } from './cluster/launches';
import {
  noImage,
  type PlacedComponent,
  partFindings,
  refusePods,
  withImages,
  withoutImage,
} from './cluster/plan-parts';
import { oneLine } from './comment';
import { composeService, configName, MODELS } from './compose/compose-service';
import { literal } from './compose-parts';
import { composeWeights, type NeededFile, type PrepareService } from './compose-quantize';
import type { Exported, Exporter, ExportInput } from './exporter';
import { policiesLeftOut } from './policies-left-out';
import { list, map, text } from './yaml-nodes';

const FORM = 'A Compose file';

/** Devices that all services together take on the machine. */
const devicesOf = (components: readonly Component[]): number =>
  components.filter(({ hardware }) => hardware.kind === 'gpu').reduce((n, c) => n + c.replicas * c.hardware.count, 0);

const isPool = ({ role }: Component): boolean => role === 'prefill' || role === 'decode';

const refusal: Exporter['refusal'] = (plan) => {
  const refused = refusePods(plan, FORM, { needsPlugin: false });
  if (refused !== null) return refused;
  const id = plan.components[0]?.hardware.id ?? '';
  const devices = devicesOf(plan.components.filter((component) => isPool(component) || component.role === 'engine'));
  const perCopy = plan.components.some(isPool) ? devices : (plan.components[0]?.hardware.count ?? 0);
  return perCopy > devicesPerNode(id)
    ? `${FORM} starts one machine; ${plan.deployment} takes ${perCopy} × ${id}.`
    : null;
};

interface Weights {
  services: PrepareService[];
  needed: NeededFile[];
}

const prepareService = ({ image, command, comment }: PrepareService): YAMLMap =>
  map({
    image: text(image, comment),
    entrypoint: list(text('/bin/sh'), text('-c')),
    command: list(text(literal(command))),
    volumes: list(text(`./models:${MODELS}`)),
  });

/** Names of a component's services: those by which the plan's router reaches them. */
function serviceNames({ name, replicas, role }: Component): string[] {
  if (role === 'engine') return ['llm'];
  return replicas === 1 ? [name] : Array.from({ length: replicas }, (_, i) => `${name}-${i}`);
}

interface Services {
  services: Record<string, YAMLMap>;
  configs: Record<string, YAMLMap>;
  findings: Finding[];
}

/** Every service of the engines and of the router before them, each with devices of its own. */
function engineServices({ plan, engine }: ExportInput, parts: readonly PlacedComponent[], weights: Weights): Services {
  const result: Services = { services: {}, configs: {}, findings: [] };
  const prepared = Object.fromEntries(
    weights.services.map(({ name }) => [name, 'service_completed_successfully' as const]),
  );
  const engines = parts.filter(({ component }) => isEngine(component));
  const healthy = Object.fromEntries(
    engines.flatMap(({ component }) => serviceNames(component)).map((name) => [name, 'service_healthy' as const]),
  );
  const isPooled = engines.length > 1;
  let nextDevice = 0;
  for (const part of parts) {
    const { component } = part;
    const isRouter = !isEngine(component);
    for (const name of serviceNames(component)) {
      const firstDevice = isPooled && component.hardware.kind === 'gpu' ? nextDevice : null;
      const after = isRouter ? healthy : prepared;
      const made = composeService({ plan, engine, part, name, firstDevice, after, isPublished: isRouter || !isPooled });
      result.services[name] = made.service;
      result.findings.push(...made.findings);
      for (const [i, { content }] of component.files.entries()) {
        result.configs[configName(name, i)] = map({ content: text(literal(content)) });
      }
      if (component.hardware.kind === 'gpu') nextDevice += component.hardware.count;
    }
  }
  return result;
}

/** Services, volumes, configurations and comments of the whole file. */
function compose({ services, configs }: Omit<Services, 'findings'>, hub: boolean, head: readonly string[]): string {
  const volumes = hub ? { volumes: map({ 'hf-cache': map({}) }) } : {};
  const files = Object.keys(configs).length === 0 ? {} : { configs: map(configs) };
  const document = new Document(map({ services: map(services), ...volumes, ...files }));
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  return document.toString({ lineWidth: 0 });
}

/** Policies that one machine without an autoscaler does not hold. */
function policyFindings({ policies, components }: Plan): Finding[] {
  const pools = ['connector', 'prefill', 'decode'].map((field) => `disaggregation.${field}`);
  const one = policies.scaling?.minReplicas === 1 ? ['scaling.minReplicas'] : [];
  const isOne = policies.scaling?.minReplicas === 1 && policies.scaling.maxReplicas === 1;
  const scaling = isOne ? { ...policies, scaling: null, gateway: null } : { ...policies, gateway: null };
  const hasRouter = components.some((component) => !isEngine(component));
  const noRouter = 'the file has no router between prefill and decode: put one in front';
  const open = components.some(isPool) && !hasRouter ? [finding('warning', 'no-pool-router', noRouter)] : [];
  return [
    ...policiesLeftOut(
      { ...policies, scaling: null, routing: null },
      pools,
      'it belongs to a gateway: export the plan for NGINX or Envoy too',
    ),
    ...policiesLeftOut(scaling, [...pools, ...one], 'Compose starts one copy of the engine'),
    ...open,
  ];
}

export const dockerCompose: Exporter = {
  id: 'docker-compose',
  group: 'container',
  title: 'Docker Compose',
  summary: 'services with image, devices, health check, files and the step that makes the weights',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input): Exported {
    const { plan, engine, evidence } = input;
    const parts = withImages(componentLaunches(plan, engine), plan);
    const [first] = parts;
    if (first === undefined) {
      const [launched] = componentLaunches(plan, engine);
      const missing = noImage(engine, launched?.launch.version ?? engine.versions.pinned);
      return { files: [], findings: [...(launched?.launch.findings ?? []), missing] };
    }
    const made = engine.id === 'llama.cpp' ? plan.checkpoints.map((c) => composeWeights(c, first.launch.version)) : [];
    const weights = { services: made.flatMap((p) => p.services), needed: made.flatMap((p) => p.needed) };
    const { services, configs, findings } = engineServices(input, parts, weights);
    const prepared = Object.fromEntries(weights.services.map((s) => [s.name, prepareService(s)]));
    const head = [
      ...clusterHead(plan, parts, evidence),
      ...weights.needed.map(({ file, from }) => `Put ${file} into ./models: from ${from}`),
    ];
    const content = compose({ services: { ...prepared, ...services }, configs }, engine.id !== 'llama.cpp', head);
    return {
      files: [{ path: 'compose.yaml', content }],
      findings: [...partFindings(parts, plan), ...findings, ...policyFindings(plan), ...withoutImage(plan, engine)],
    };
  },
};
