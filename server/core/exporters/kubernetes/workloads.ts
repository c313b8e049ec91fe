import type { Plan } from '../../plan/plan';
import { selectorLabels } from '../cluster/names';
import type { ReplicaPosition } from '../cluster/nodes-of-replica';
import { type PodInput, podSpec } from '../cluster/pod';
import { noted, type YamlMap } from '../yaml-nodes';
import { metadata, type ObjectMeta } from './objects';

const position = (nodes: number, isLeader: boolean): ReplicaPosition => ({
  nodes,
  leader: '$(LWS_LEADER_ADDRESS)',
  rank: '$(LWS_WORKER_INDEX)',
  isLeader,
});

const template = (meta: ObjectMeta, spec: YamlMap): YamlMap => ({
  metadata: { labels: { ...meta.labels }, annotations: { 'inferloom/plan-hash': meta.planHash } },
  spec,
});

const replicaKeys = (replicas: number | null): YamlMap => (replicas === null ? {} : { replicas });

/** One pod a replica. No device is spare while a pod is replaced: the old one goes first. */
export function deployment(meta: ObjectMeta, pod: PodInput, replicas: number | null): YamlMap {
  const surge = { maxSurge: noted(0, 'no spare devices: the old pod goes first'), maxUnavailable: 1 };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(meta),
    spec: {
      ...replicaKeys(replicas),
      selector: { matchLabels: selectorLabels(meta.name) },
      strategy: { type: 'RollingUpdate', rollingUpdate: surge },
      progressDeadlineSeconds: 3600,
      template: template(meta, podSpec(pod)),
    },
  };
}

/** A pool whose router knows each pod by name. */
export const statefulSet = (meta: ObjectMeta, pod: PodInput, replicas: number | null): YamlMap => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: metadata(meta),
  spec: {
    ...replicaKeys(replicas),
    serviceName: meta.name,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: selectorLabels(meta.name) },
    template: template(meta, podSpec(pod)),
  },
});

/** Several pods a replica: the first one serves, a lost one restarts its group. */
export function leaderWorkerSet(meta: ObjectMeta, pod: PodInput, replicas: number | null): YamlMap {
  const { nodes } = pod.placement;
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: metadata(meta),
    spec: {
      ...replicaKeys(replicas),
      leaderWorkerTemplate: {
        size: noted(
          nodes,
          `${pod.part.component.hardware.count} × ${pod.part.component.hardware.id} over ${nodes} nodes`,
        ),
        restartPolicy: 'RecreateGroupOnPodRestart',
        leaderTemplate: template(meta, podSpec({ ...pod, position: position(nodes, true) })),
        workerTemplate: template(meta, podSpec({ ...pod, position: position(nodes, false) })),
      },
    },
  };
}

/** Threads that the plan gives its engine; they become the CPU request where no device is asked for. */
export const threadsOf = (plan: Plan): unknown => plan.settings.threads?.asked ?? null;
