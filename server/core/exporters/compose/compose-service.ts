import type { YAMLMap } from 'yaml';
import type { Engine } from '../../engines/engine';
import type { Finding } from '../../plan/finding';
import type { Arg, Component, Plan } from '../../plan/plan';
import { OWN_HOST } from '../cluster/addresses';
import { configPath } from '../cluster/container';
import { isEngine } from '../cluster/launches';
import type { PlacedComponent } from '../cluster/plan-parts';
import { commandList, deviceKeys, environment, healthcheck, literal } from '../compose-parts';
import { listenArgs, routerArgs } from '../listen-args';
import { list, map, text, type YamlMap, yamlNode } from '../yaml-nodes';

/** Where llama.cpp finds weights inside the container. */
export const MODELS = '/models';

/** Images whose entry point is the server: the arguments alone are the command. Sources: the images' Dockerfiles. */
const HAS_ENTRYPOINT = new Set(['llama.cpp', 'vllm', 'tgi']);

/** Engines whose documentation asks for locked memory and a large stack. Sources: SGLang docker/compose.yaml; TensorRT-LLM quick start. */
const LOCKS_MEMORY = new Set(['sglang', 'tensorrt-llm']);

interface ServiceInput {
  plan: Plan;
  engine: Engine;
  part: PlacedComponent;
  /** Name of the service: the host name by which the others reach it. */
  name: string;
  /** First device of this service on the machine; null where no other service takes any. */
  firstDevice: number | null;
  /** Services that must have ended, or be healthy, before. */
  after: Readonly<Record<string, 'service_completed_successfully' | 'service_healthy'>>;
  /** Do clients reach it, or the services alone? */
  isPublished: boolean;
}

/** Name of a configuration in the file. */
export const configName = (service: string, index: number): string => `${service}-config-${index}`;

/** File names become paths in the mounted folder; a path on the worker keeps its last part. */
function containerPath({ component }: PlacedComponent): (arg: Arg) => string | null {
  const files = component.files.map(({ path }) => path);
  return ({ setting, flag, value }) => {
    if (value === null) return null;
    if (files.includes(value)) return configPath(value);
    const isFile = component.engine === 'llama.cpp' && setting === 'weightsFormat' && flag.startsWith('--model');
    return isFile ? `${MODELS}/${value.split('/').pop() ?? value}` : value;
  };
}

/** llama.cpp reads files from a mounted folder; the others download into a volume. */
function storageKeys(engine: Engine, component: Component): Record<string, unknown> {
  if (!isEngine(component)) return {};
  if (engine.id === 'llama.cpp') return { volumes: list(text(`./models:${MODELS}:ro`)) };
  const store = engine.id === 'tgi' ? '/data' : '/root/.cache/huggingface';
  const locks = LOCKS_MEMORY.has(engine.id) ? { ulimits: yamlNode({ memlock: -1, stack: 67108864 }) } : {};
  const shared = component.hardware.count > 1 ? { ipc: text('host', 'ranks exchange tensors in shared memory') } : {};
  return { volumes: list(text(`hf-cache:${store}`)), ...shared, ...locks };
}

function environmentOf({ engine, part, name }: ServiceInput): Record<string, unknown> {
  const hub = engine.id !== 'llama.cpp' && isEngine(part.component);
  const env = part.launch.env.map((entry) => ({ ...entry, value: entry.value.replaceAll(OWN_HOST, name) }));
  return env.length === 0 && !hub ? {} : { environment: environment(env, hub) };
}

/** Configuration files of a component, mounted where its arguments look for them. */
function configKeys({ part: { component }, name }: ServiceInput): Record<string, unknown> {
  if (component.files.length === 0) return {};
  const mounts = component.files.map(
    ({ path }, i): YamlMap => ({ source: configName(name, i), target: configPath(path) }),
  );
  return { configs: yamlNode(mounts) };
}

/** The port: for everyone where a key guards it, else for this machine alone. */
function portKeys({ engine, part, isPublished }: ServiceInput): Record<string, unknown> {
  if (!isPublished) return {};
  const isOpen = part.launch.env.some((entry) => entry.setting === 'apiKeySecret');
  const publish = isOpen ? `${engine.port}:${engine.port}` : `127.0.0.1:${engine.port}:${engine.port}`;
  return { ports: list(text(publish, isOpen ? 'guarded by the key' : 'no key is set: this machine only')) };
}

function fixedArgs({ engine, part }: ServiceInput): Arg[] {
  if (isEngine(part.component)) return listenArgs(engine, part.launch.args);
  return part.component.files.length > 0 ? [] : routerArgs(engine, part.launch.args);
}

/** One service of the file. */
export function composeService(input: ServiceInput): { service: YAMLMap; findings: Finding[] } {
  const { plan, engine, part, after, firstDevice } = input;
  const { component, launch, image } = part;
  const { keys, findings } = deviceKeys(component.hardware, plan.deployment, firstDevice);
  const words = commandList(launch, fixedArgs(input), containerPath(part));
  const isImages = isEngine(component) && HAS_ENTRYPOINT.has(engine.id);
  if (!isImages) words.items.unshift(...launch.command.map((word) => text(literal(word))));
  const conditions = Object.entries(after).map(
    ([name, condition]) => [name, map({ condition: text(condition) })] as const,
  );
  const service = map({
    image: text(image ?? '', 'pinned'),
    command: words,
    ...environmentOf(input),
    ...portKeys(input),
    ...storageKeys(engine, component),
    ...configKeys(input),
    ...keys,
    healthcheck: healthcheck(engine.port, engine.healthPath),
    ...(conditions.length === 0 ? {} : { depends_on: map(Object.fromEntries(conditions)) }),
    restart: text('unless-stopped'),
  });
  return { service, findings };
}
