import type { Component } from '../../plan/plan';
import { text, type Yaml, type YamlMap } from '../yaml-nodes';
import {
  CONTAINER_SECURITY,
  type ContainerInput,
  commandKeys,
  configPath,
  envItems,
  HUB_TOKEN,
  probeKeys,
  resourceKeys,
  serverSecurity,
  sharedMemory,
  storePath,
} from './container';
import type { FetchStep } from './fetch-weights';
import { isEngine } from './launches';

export interface PodInput extends ContainerInput {
  name: string;
  /** Claim that holds the weights. */
  claim: string;
  /** ConfigMap with the component's files; null where it has none. */
  configMap: string | null;
  steps: readonly FetchStep[];
  threads: unknown;
  /** Name of the container, where the form prescribes one. */
  containerName?: string;
}

/** ConfigMap keys must be plain names: folders become hyphens. */
export const configKey = (path: string): string => path.replace(/^\/+/, '').replace(/[^A-Za-z0-9._-]+/g, '-');

const needsSharedMemory = ({ hardware }: Component): boolean => hardware.kind === 'gpu' && hardware.count > 1;

/** Volumes of a pod and where they are mounted. */
export function volumes(input: PodInput): { volumes: Yaml[]; mounts: Yaml[] } {
  const { engine, part, claim, configMap } = input;
  const files = part.component.files;
  const stores = isEngine(part.component);
  const shares = needsSharedMemory(part.component);
  const memory = { medium: 'Memory', sizeLimit: text(sharedMemory(engine), 'counts against the memory limit') };
  return {
    volumes: [
      ...(stores ? [{ name: 'weights', persistentVolumeClaim: { claimName: claim } }] : []),
      ...(shares ? [{ name: 'shm', emptyDir: memory }] : []),
      ...(configMap === null ? [] : [{ name: 'config', configMap: { name: configMap } }]),
    ],
    mounts: [
      ...(stores ? [{ name: 'weights', mountPath: storePath(engine) }] : []),
      ...(shares ? [{ name: 'shm', mountPath: text('/dev/shm', 'ranks exchange tensors in shared memory') }] : []),
      ...(configMap === null
        ? []
        : files.map(({ path }) => {
            return { name: 'config', mountPath: configPath(path), subPath: configKey(path), readOnly: true };
          })),
    ],
  };
}

function serverContainer(input: PodInput): YamlMap {
  const { engine, part, position } = input;
  const serves = position?.isLeader !== false;
  const env = envItems(input);
  return {
    name: input.containerName ?? 'server',
    image: text(part.image ?? '', 'pinned'),
    imagePullPolicy: 'IfNotPresent',
    ...commandKeys(input),
    env: env.length === 0 ? undefined : env,
    ...(serves ? { ports: [{ name: 'http', containerPort: engine.port }] } : {}),
    ...resourceKeys(input, input.threads),
    ...(serves ? probeKeys(engine.healthPath, engine.port) : {}),
    ...(serves ? { lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } } } : {}),
    securityContext: serverSecurity(engine.port),
    volumeMounts: volumes(input).mounts,
  };
}

/** Steps that put weights into the volume before the server starts, one container each, in order. */
const initContainers = (input: PodInput): Yaml[] =>
  input.steps.map(({ name, image, command, comment, token }) => ({
    name,
    image: text(image, comment),
    command: ['/bin/sh', '-c'],
    args: [command],
    env: token ? [HUB_TOKEN] : undefined,
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [{ name: 'weights', mountPath: storePath(input.engine) }],
  }));

/** A pod of one component. */
export function podSpec(input: PodInput): YamlMap {
  const { placement, steps } = input;
  const isNvidia = placement.resource === 'nvidia.com/gpu';
  return {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 120,
    nodeSelector: placement.nodeSelector === null ? undefined : { ...placement.nodeSelector },
    tolerations: isNvidia ? [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] : undefined,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    initContainers: steps.length === 0 ? undefined : initContainers(input),
    containers: [serverContainer(input)],
    volumes: volumes(input).volumes,
  };
}
