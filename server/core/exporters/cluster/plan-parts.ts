import type { Engine } from '../../engines/engine';
import { type Finding, finding } from '../../plan/finding';
import type { Plan } from '../../plan/plan';
import type { Launch } from '../launch';
import { usesHub } from './container';
import { type Placement, placementOf } from './devices';
import { type ComponentLaunch, componentLaunches, isEngine } from './launches';
import { HUB_SECRET, SECRET_NAME } from './names';
import { spreadRefusal } from './nodes-of-replica';
import { secretOf } from './secrets';
import { cacheGib } from './weights';

export interface PlacedComponent extends ComponentLaunch {
  placement: Placement;
}

const NO_SERVER: Readonly<Record<string, string>> = {
  'onnxruntime-genai': 'ONNX Runtime GenAI has no HTTP server',
};

/** Why no pod can run a component; null if one can. */
function podRefusal(component: Plan['components'][number], needsPlugin: boolean): string | null {
  const noServer = NO_SERVER[component.engine];
  if (noServer !== undefined) return noServer;
  if (!isEngine(component)) return null;
  if (component.image === null && component.engine !== 'llama.cpp') return `${component.engine} has no published image`;
  if (!needsPlugin) return null;
  const placement = placementOf(component.hardware);
  if ('refused' in placement) return placement.refused;
  return spreadRefusal({ component }, placement.nodes);
}

/** Why a plan cannot run in pods; null if it can. `form`: "A Kubernetes manifest", say. */
export function refusePods(plan: Plan, form: string, { needsPlugin } = { needsPlugin: true }): string | null {
  const launched = plan.components.filter((component) => component.endpoint === null);
  if (launched.length === 0) return `${plan.deployment} uses a server that runs already: there is nothing to launch.`;
  for (const component of launched) {
    const reason = podRefusal(component, needsPlugin);
    if (reason !== null) return `${form} cannot hold ${plan.deployment}: ${reason}.`;
  }
  return null;
}

/** Like it, for a form that knows some engines only. */
export function refusePodsOf(plan: Plan, engines: readonly string[], form: string): string | null {
  const other = plan.components.find((component) => component.endpoint === null && !engines.includes(component.engine));
  if (other !== undefined) return `${form} is for ${engines.join(' or ')}; ${plan.deployment} runs ${other.engine}.`;
  return refusePods(plan, form);
}

/**
 * Image of a router that a plan names by its command alone: vLLM's has one of its own (helm-release.yml of vLLM
 * production-stack), those of SGLang, TensorRT-LLM and LMDeploy are in the engine's image (SGLang docs, lws_pd; trtllm-serve;
 * lmdeploy serve proxy).
 */
function routerImage({ command }: Launch, plan: Plan): string | null {
  if (command.includes('vllm_router.app')) return 'lmcache/lmstack-router:v0.1.12';
  const isEngines =
    command.includes('sglang_router.launch_router') || /^(trtllm-serve|lmdeploy)$/.test(command[0] ?? '');
  return isEngines ? (plan.components.find(isEngine)?.image ?? null) : null;
}

const imageOf = (part: ComponentLaunch, plan: Plan): string | null =>
  part.image ?? (isEngine(part.component) ? null : routerImage(part.launch, plan));

/** A process of the plan that has no published image is not in the file. */
export function withoutImage(plan: Plan, engine: Engine): Finding[] {
  return componentLaunches(plan, engine)
    .filter((part) => imageOf(part, plan) === null)
    .map(({ component }) => {
      const message = `${component.name} is not in the file: it has no published image. It runs: ${component.argv.join(' ')}`;
      return finding('warning', 'no-image', message, { nodeId: plan.policies.disaggregation?.nodeIds[0] ?? null });
    });
}

/** Components with their place. Those that `refusePods` names are not among them. */
export const placedComponents = (plan: Plan, engine: Engine): PlacedComponent[] =>
  withImages(componentLaunches(plan, engine), plan).filter(
    ({ component }) => !('refused' in placementOf(component.hardware)),
  );

/** Launches that have an image, with their place; a device without a plugin has none. */
export function withImages(launches: readonly ComponentLaunch[], plan: Plan): PlacedComponent[] {
  return launches.flatMap((part) => {
    const { hardware } = part.component;
    const found = placementOf(hardware);
    const nowhere = { resource: null, perNode: hardware.count, nodes: 1, nodeSelector: null, findings: [] };
    const image = imageOf(part, plan);
    return image === null ? [] : [{ ...part, image, placement: 'refused' in found ? nowhere : found }];
  });
}

/** Weights in a folder of the worker: no container has them. */
const foreignWeights = (plan: Plan): Finding[] =>
  plan.checkpoints
    .filter(({ repo }) => /^(\/|\.\.?\/|~)/.test(repo))
    .map(({ repo, nodeId }) => {
      const message = `The weights at ${repo} lie on a worker: put them into the volume or the image under that path.`;
      return finding('warning', 'weights-by-hand', message, { nodeId });
    });

/** What a reader must know of the components and the weights, once. */
export function partFindings(parts: readonly PlacedComponent[], plan: Plan): Finding[] {
  const all = [
    ...parts.flatMap(({ launch, placement }) => [...launch.findings, ...placement.findings]),
    ...(parts.some(({ component }) => component.engine !== 'llama.cpp') ? foreignWeights(plan) : []),
  ];
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

export const noImage = (engine: Engine, version: string): Finding =>
  finding('error', 'no-image', `${engine.title} ${version} has no published image.`, { field: 'version' });

/** Volume for models whose size nobody recorded, GiB: what most single-node checkpoints stay under. */
const UNKNOWN_GIB = 200;

/** Size of the volume of weights, and a warning where it is a guess. */
export function storeSize(plan: Plan): { gib: number; findings: Finding[] } {
  const gib = cacheGib(plan.checkpoints);
  if (gib !== null) return { gib, findings: [] };
  const message = `The size of the weights is not known: the file asks for ${UNKNOWN_GIB} GiB of storage. Check it.`;
  return { gib: UNKNOWN_GIB, findings: [finding('warning', 'storage-size-unknown', message)] };
}

/** Why a form that runs a replica in one pod cannot hold a plan; null if it can. */
export function refuseSpread(plan: Plan, form: string): string | null {
  for (const { hardware, endpoint } of plan.components) {
    const placement = placementOf(hardware);
    if (endpoint === null && !('refused' in placement) && placement.nodes > 1) {
      return `${form} runs a replica on one node; ${plan.deployment} needs ${placement.nodes} nodes of ${placement.perNode} × ${hardware.id}.`;
    }
  }
  return null;
}

/** Why a form that mounts no files cannot hold a plan; null if it can. */
export function refuseFiles(plan: Plan, form: string): string | null {
  const file = plan.components.filter(isEngine).flatMap(({ files }) => files)[0];
  return file === undefined ? null : `${form} has no place for ${file.path}, which ${plan.deployment} reads.`;
}

/** Why a form of one engine cannot hold pools; null if it can. */
export const refusePools = (plan: Plan, form: string): string | null =>
  plan.components.length === 1
    ? null
    : `${form} holds one component; ${plan.deployment} has ${plan.components.length}.`;

/** The plan's own router stays out where the form brings one. */
export function replacedRouter(plan: Plan, by: string): Finding[] {
  const routers = plan.components.filter((component) => !isEngine(component));
  return routers.map(({ name, argv }) => {
    const message = `The plan's ${name} is not in the file, since ${by} brings its own: ${argv.join(' ')}`;
    return finding('info', 'router-replaced', message, { nodeId: plan.policies.disaggregation?.nodeIds[0] ?? null });
  });
}

/** Names of the secrets that a plan refers to. */
export function referencedSecrets(plan: Plan): string[] {
  const values = plan.components.flatMap(({ env, args }) => [
    ...Object.values(env),
    ...args.flatMap(({ value }) => value ?? []),
  ]);
  return [...new Set(values.flatMap((value) => secretOf(value) ?? []))].sort();
}

/** Secrets that must be there before a file is applied. */
export function needsOf(plan: Plan, engine: Engine): string[] {
  const secrets = referencedSecrets(plan);
  return [
    ...(secrets.length === 0 ? [] : [`Secret ${SECRET_NAME} must hold: ${secrets.join(', ')}`]),
    ...(usesHub(engine)
      ? [`Secret ${HUB_SECRET.name}, key ${HUB_SECRET.key}: needed for gated repositories only`]
      : []),
  ];
}
