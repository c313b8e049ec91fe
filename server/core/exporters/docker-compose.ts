import { Document, type YAMLMap } from 'yaml';
import type { Engine } from '../engines/engine';
import { finding } from '../plan/finding';
import type { Arg, Component, Plan } from '../plan/plan';
import { oneLine, requestLines } from './comment';
import { commandList, deviceKeys, environment, healthcheck, literal } from './compose-parts';
import { composeWeights, type NeededFile, type PrepareService } from './compose-quantize';
import { type Exported, type Exporter, launchedComponent, refuseOtherEngines } from './exporter';
import { headLines } from './head';
import { type Launch, launchAs } from './launch';
import { fixedArg } from './shell-script';
import { list, map, text } from './yaml-nodes';

const refusal: Exporter['refusal'] = (plan) => refuseOtherEngines(plan, ['llama.cpp', 'vllm'], 'A Compose file');

/** Where weights lie inside the container. */
const MODELS = '/models';

interface Weights {
  services: PrepareService[];
  needed: NeededFile[];
}

/** File names become paths in the mounted folder; a path on the worker keeps its last part. */
const containerPath = (arg: Arg): string | null =>
  arg.setting === 'weightsFormat' && arg.value !== null && arg.flag.startsWith('--model')
    ? `${MODELS}/${arg.value.split('/').pop() ?? arg.value}`
    : arg.value;

/** llama.cpp reads files from a mounted folder; vLLM downloads into a volume. */
function storageKeys(engine: Engine, component: Component): Record<string, unknown> {
  if (engine.id === 'llama.cpp') return { volumes: list(text(`./models:${MODELS}:ro`)) };
  const shared = component.hardware.count > 1 ? { ipc: text('host', 'ranks exchange tensors in shared memory') } : {};
  return { volumes: list(text('hf-cache:/root/.cache/huggingface')), ...shared };
}

function environmentOf(engine: Engine, launch: Launch): Record<string, unknown> {
  const hub = engine.id === 'vllm';
  return launch.env.length === 0 && !hub ? {} : { environment: environment(launch.env, hub) };
}

function serverService(
  { plan, engine }: { plan: Plan; engine: Engine },
  component: Component,
  image: string,
  launch: Launch,
  weights: Weights,
): { service: YAMLMap; findings: Exported['findings'] } {
  const fixed = [
    fixedArg('--host', '0.0.0.0', 'inside the container'),
    fixedArg('--port', String(engine.port), 'published below'),
    ...(engine.id === 'llama.cpp' ? [fixedArg('--metrics', null, 'counters at /metrics')] : []),
  ];
  const isOpen = launch.env.some((entry) => entry.setting === 'apiKeySecret');
  const publish = isOpen ? `${engine.port}:${engine.port}` : `127.0.0.1:${engine.port}:${engine.port}`;
  const { keys, findings } = deviceKeys(component.hardware, plan.deployment);
  const after = map(
    Object.fromEntries(
      weights.services.map((s) => [s.name, map({ condition: text('service_completed_successfully') })]),
    ),
  );
  const service = map({
    image: text(image, 'pinned'),
    command: commandList(launch, fixed, containerPath),
    ...environmentOf(engine, launch),
    ports: list(text(publish, isOpen ? 'guarded by the key' : 'no key is set: this machine only')),
    ...storageKeys(engine, component),
    ...keys,
    healthcheck: healthcheck(engine.port, engine.healthPath),
    ...(weights.services.length === 0 ? {} : { depends_on: after }),
    restart: text('unless-stopped'),
  });
  return { service, findings };
}

const prepareService = ({ image, command, comment }: PrepareService): YAMLMap =>
  map({
    image: text(image, comment),
    entrypoint: list(text('/bin/sh'), text('-c')),
    command: list(text(literal(command))),
    volumes: list(text(`./models:${MODELS}`)),
  });

/** Services, volumes and comments of the whole file. */
function compose(services: Record<string, YAMLMap>, engine: Engine, head: readonly string[]): string {
  const volumes = engine.id === 'vllm' ? { volumes: map({ 'hf-cache': map({}) }) } : {};
  const document = new Document(map({ services: map(services), ...volumes }));
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  return document.toString({ lineWidth: 0 });
}

export const dockerCompose: Exporter = {
  id: 'docker-compose',
  group: 'container',
  title: 'Docker Compose',
  summary: 'a service with its image, devices, health check and the step that makes the weights',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render({ plan, engine, evidence }) {
    const component = launchedComponent(plan);
    const launch = launchAs(plan, engine, engine.id === 'llama.cpp' ? 'llama-server' : null);
    const image = component === null ? null : engine.image({ hardware: component.hardware, version: launch.version });
    if (component === null || image === null) {
      const message = `${engine.title} ${launch.version} has no published image.`;
      return { files: [], findings: [...launch.findings, finding('error', 'no-image', message, { field: 'version' })] };
    }
    const parts =
      engine.id === 'llama.cpp' ? plan.checkpoints.map((checkpoint) => composeWeights(checkpoint, launch.version)) : [];
    const weights = { services: parts.flatMap((p) => p.services), needed: parts.flatMap((p) => p.needed) };
    const { service, findings } = serverService({ plan, engine }, component, image, launch, weights);
    const services = {
      ...Object.fromEntries(weights.services.map((s) => [s.name, prepareService(s)])),
      llm: service,
    };
    const head = [
      ...headLines(plan, launch, image, evidence),
      ...requestLines(launch),
      ...weights.needed.map(({ file, from }) => `Put ${file} into ./models: from ${from}`),
    ];
    const content = compose(services, engine, head);
    return { files: [{ path: 'compose.yaml', content }], findings: [...launch.findings, ...findings] };
  },
};
