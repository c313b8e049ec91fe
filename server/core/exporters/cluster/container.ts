import type { Engine } from '../../engines/engine';
import type { Arg } from '../../plan/plan';
import { originOf } from '../comment';
import type { Launch } from '../launch';
import { listenArgs, routerArgs } from '../listen-args';
import { text, type Yaml, type YamlMap } from '../yaml-nodes';
import { OWN_HOST } from './addresses';
import type { Placement } from './devices';
import { type ComponentLaunch, isEngine } from './launches';
import { HUB_SECRET } from './names';
import { joinArgs, type ReplicaPosition } from './nodes-of-replica';
import { argValue, fromSecret, literal, secretOf, secretsInArgs } from './secrets';

/** Where an engine keeps weights inside its container. Sources: the engines' image documentation. */
const STORES: Readonly<Record<string, string>> = { 'llama.cpp': '/models', tgi: '/data' };
export const storePath = (engine: Engine): string => STORES[engine.id] ?? '/root/.cache/huggingface';

/** Folder of configuration files whose path in the plan is relative. */
export const CONFIG_FOLDER = '/etc/inferloom';
export const configPath = (path: string): string => (path.startsWith('/') ? path : `${CONFIG_FOLDER}/${path}`);

/** Images that start the server themselves and do not have it on the PATH: the arguments alone go in. */
const HAS_ENTRYPOINT = new Set(['llama.cpp', 'tgi']);

/** Does this engine fetch from the Hub by itself? llama.cpp gets files instead. */
export const usesHub = (engine: Engine): boolean => engine.id !== 'llama.cpp';

/** A file name becomes a path in the mounted folder; a configuration file is where it is mounted. */
function containerValue({ setting, flag, value }: Arg, engine: Engine, files: readonly string[]): string | null {
  if (value === null) return null;
  if (files.includes(value)) return configPath(value);
  const isFile = engine.id === 'llama.cpp' && setting === 'weightsFormat' && /model/.test(flag);
  return isFile ? `${storePath(engine)}/${value.split('/').pop() ?? value}` : value;
}

export interface ContainerInput {
  engine: Engine;
  part: ComponentLaunch;
  placement: Placement;
  /** Position in a replica of several pods; null for a pod that is a whole replica. */
  position: ReplicaPosition | null;
  /** Puts the form's host names where the plan names its components. */
  hosts: (text: string) => string;
}

/** Arguments that the form adds: address, counters, place in a replica. */
function addedArgs({ engine, part, position }: ContainerInput): Arg[] {
  if (!isEngine(part.component)) return part.component.files.length > 0 ? [] : routerArgs(engine, part.launch.args);
  const joined = position === null ? [] : (joinArgs(part.component.engine, position) ?? []);
  const listening = position?.isLeader === false ? [] : listenArgs(engine, part.launch.args);
  return [...listening, ...joined];
}

/** Origin of each argument of a list once: the second one of a setting need not repeat it. */
function originIn(list: readonly Arg[], index: number, launch: Launch): string {
  const arg = list[index];
  if (arg === undefined) return 'fixed';
  const before = list[index - 1];
  const repeats = before?.setting === arg.setting && before?.scope === arg.scope && arg.note === null;
  return repeats && arg.setting !== null ? 'see above' : originOf(arg, launch);
}

/** One word a list item, the origin behind the flag; `write` says how the form writes a value, the flag too. */
export function wordItems(
  launch: Launch,
  { args, added, write }: { args: readonly Arg[]; added: readonly Arg[]; write: (value: string, arg: Arg) => string },
): Yaml[] {
  const all = [...args, ...added];
  return all.flatMap((arg, i) => [
    text(write(arg.flag, { ...arg, value: null }), originIn(all, i, launch)),
    ...(arg.value === null ? [] : [text(write(arg.value, arg))]),
  ]);
}

/** Arguments as a container takes them. */
function argItems(input: ContainerInput): Yaml[] {
  const { engine, part, position, hosts } = input;
  const files = part.component.files.map((file) => file.path);
  const added = addedArgs(input);
  const write = (value: string, arg: Arg): string => {
    if (arg.value === null) return literal(value);
    if (position !== null && added.includes(arg) && value.includes('$(')) return value;
    return argValue(hosts(containerValue(arg, engine, files) ?? value));
  };
  return wordItems(part.launch, { args: part.launch.args, added, write });
}

/** Environment of the plan, secrets by reference. `hasPodIp`: the form sets that variable itself. */
export function planEnv(part: ComponentLaunch, hasPodIp = false): Yaml[] {
  const isOwn = !hasPodIp && part.launch.env.some(({ value }) => value.includes(OWN_HOST));
  const address: YamlMap = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
  const named = part.launch.env.map(({ name, value, setting, nodeId }): YamlMap => {
    const secret = secretOf(value);
    const label = text(name, `${setting}, ${nodeId === null ? 'fixed' : `node ${nodeId}`}`);
    if (secret !== null) return { name: label, valueFrom: fromSecret(secret) };
    return { name: label, value: literal(value).replaceAll(OWN_HOST, '$(POD_IP)') };
  });
  const passed = secretsInArgs(part.launch.args).map((secret): YamlMap => {
    return { name: text(secret, 'stands in the arguments'), valueFrom: fromSecret(secret) };
  });
  return [...(isOwn ? [address] : []), ...named, ...passed];
}

/** Token of the Hub; there may be none. */
export const HUB_TOKEN: YamlMap = {
  name: text('HF_TOKEN', 'for gated repositories only'),
  valueFrom: { secretKeyRef: { ...HUB_SECRET, optional: true } },
};

/** Environment of the plan, and a hub token where the engine downloads. */
export const envItems = ({ part, engine }: Pick<ContainerInput, 'part' | 'engine'>): Yaml[] => [
  ...planEnv(part),
  ...(usesHub(engine) && isEngine(part.component) ? [HUB_TOKEN] : []),
];

/** Devices as limits (a request of them must equal the limit); on a CPU the threads that were asked for. */
export function resourceKeys(
  { part, placement }: Pick<ContainerInput, 'part' | 'placement'>,
  threads: unknown,
): YamlMap {
  if (placement.resource !== null) {
    const devices = text(String(placement.perNode), part.component.hardware.id);
    return { resources: { limits: { [placement.resource]: devices } } };
  }
  return typeof threads === 'number' ? { resources: { requests: { cpu: text(String(threads), 'threads') } } } : {};
}

const probe = (path: string, port: number, rest: YamlMap): YamlMap => ({ httpGet: { path, port }, ...rest });

/** Loading and compiling may take half an hour; only then does a silent server count as dead. */
export const probeKeys = (path: string, port: number): YamlMap => ({
  startupProbe: probe(path, port, { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 180 }),
  readinessProbe: probe(path, port, { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }),
  livenessProbe: probe(path, port, { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }),
});

/** The official images run as root and write to its home; everything else is taken from them. */
export const CONTAINER_SECURITY: YamlMap = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** The same for a server that listens below 1024 (TGI's image does). */
export const serverSecurity = (port: number): YamlMap =>
  port >= 1024
    ? CONTAINER_SECURITY
    : { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } };

/** Command and arguments; the command is left out where the image has it as entry point. */
export function commandKeys(input: ContainerInput): YamlMap {
  const isImages = isEngine(input.part.component) && HAS_ENTRYPOINT.has(input.engine.id);
  const command = isImages ? {} : { command: [...input.part.launch.command] };
  return { ...command, args: argItems(input) };
}

/** Memory that ranks share, by engine. Sources: vLLM production-stack shmSize, SGLang docker/compose.yaml, TGI README. */
const SHARED_MEMORY: Readonly<Record<string, string>> = { sglang: '32Gi', tgi: '1Gi' };
export const sharedMemory = (engine: Engine): string => SHARED_MEMORY[engine.id] ?? '20Gi';
