import type { Engine } from '../../engines/engine';
import type { Component } from '../../plan/plan';
import { selectorLabels } from '../cluster/names';
import { configKey } from '../cluster/pod';
import { fromSecret, secretOf } from '../cluster/secrets';
import { text, type Yaml, type YamlMap } from '../yaml-nodes';

/** Name, labels and annotations of an object. */
export interface ObjectMeta {
  name: string;
  labels: Readonly<Record<string, string>>;
  planHash: string;
}

export const metadata = ({ name, labels, planHash }: ObjectMeta): YamlMap => ({
  name,
  labels: { ...labels },
  annotations: { 'inferloom/plan-hash': planHash },
});

/** Volume of the weights. Several pods on several nodes need one that many can mount. */
export function claim(meta: ObjectMeta, sizeGib: number, isShared: boolean): YamlMap {
  const mode = isShared ? text('ReadWriteMany', 'several pods mount it') : 'ReadWriteOnce';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadata(meta),
    spec: { accessModes: [mode], resources: { requests: { storage: `${sizeGib}Gi` } } },
  };
}

/** Files of a component. */
export const configMap = (meta: ObjectMeta, files: Component['files'], hosts: (text: string) => string): YamlMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata(meta),
  data: Object.fromEntries(files.map(({ path, content }) => [configKey(path), hosts(content)])),
});

/** Pods that answer requests: all of them, or the leaders of a LeaderWorkerSet. */
export const servingPods = (name: string, spansNodes: boolean): Record<string, string> => ({
  ...selectorLabels(name),
  ...(spansNodes ? { 'leaderworkerset.x-k8s.io/worker-index': '0' } : {}),
});

/** Gives each pod of a StatefulSet a name of its own; pods are found before they are ready, since they wait for each other. */
export const headlessService = (meta: ObjectMeta, engine: Engine, selector: Record<string, string>): YamlMap => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(meta),
  spec: {
    clusterIP: text('None', 'one name a pod'),
    publishNotReadyAddresses: true,
    selector,
    ports: [{ name: 'http', port: engine.port, targetPort: 'http' }],
  },
});

export function service(meta: ObjectMeta, engine: Engine, selector: Record<string, string>, sticky: boolean): YamlMap {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(meta),
    spec: {
      selector,
      ...(sticky ? { sessionAffinity: text('ClientIP', 'one client stays at one replica') } : {}),
      ports: [{ name: 'http', port: engine.port, targetPort: 'http' }],
    },
  };
}

/** Drains wait for one replica at a time. */
export const disruptionBudget = (meta: ObjectMeta, selector: Record<string, string>): YamlMap => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: metadata(meta),
  spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
});

/** llama-server asks for its key at /metrics too; the other engines leave it open. Source: server.cpp, public endpoints. */
const metricsKey = (engine: Engine, component: Component): string | null =>
  engine.id === 'llama.cpp'
    ? (Object.values(component.env)
        .concat(component.args.flatMap(({ value }) => value ?? []))
        .map(secretOf)
        .find((secret) => secret !== null) ?? null)
    : null;

export function serviceMonitor(meta: ObjectMeta, engine: Engine, component: Component, pollS: number): YamlMap {
  const secret = metricsKey(engine, component);
  const credentials = secret === null ? null : fromSecret(secret).secretKeyRef;
  const endpoint: YamlMap = {
    port: 'http',
    path: engine.metricsPath,
    interval: `${pollS}s`,
    ...(credentials === null ? {} : { authorization: { type: 'Bearer', credentials } }),
  };
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: metadata(meta),
    spec: { selector: { matchLabels: selectorLabels(meta.name) }, endpoints: [endpoint] },
  };
}

export type Documents = { notes?: readonly string[]; body: Yaml }[];
