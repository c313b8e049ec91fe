import {
  anyText,
  eitherOf,
  intOrText,
  list,
  literal,
  mapOf,
  positive,
  quantity,
  type Schema,
  strict,
  text,
  whole,
  yesNo,
} from './json-schema';

/**
 * The parts of the Kubernetes API that manifests of ours use, in our own words, every object closed. Source: the
 * OpenAPI of Kubernetes 1.36 (apps/v1, core/v1, policy/v1, apimachinery). The same files were checked against the
 * whole of it, strict, with the schemas of the Python package kubernetes-validate 1.37.0.
 */
const dnsName: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const labelValue: Schema = { type: 'string', pattern: '^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]?$', maxLength: 63 };
export const labels = mapOf(labelValue);

export const metadata = strict({ 'name!': dnsName, labels, annotations: mapOf(anyText) });
const podMetadata = strict({ labels, annotations: mapOf(anyText) });
export const labelSelector = strict({ matchLabels: labels });

const variableName: Schema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' };
const secretKeyRef = strict({ 'name!': dnsName, 'key!': text, optional: yesNo });
export const envVar = eitherOf(
  strict({ 'name!': variableName, 'value!': anyText }),
  strict({
    'name!': variableName,
    'valueFrom!': eitherOf(
      strict({ 'secretKeyRef!': secretKeyRef }),
      strict({ 'fieldRef!': strict({ 'fieldPath!': literal('status.podIP', 'metadata.name') }) }),
    ),
  }),
);

export const resources = strict({ limits: mapOf(quantity), requests: mapOf(quantity) });
const httpGet = strict({ 'path!': { type: 'string', pattern: '^/' }, 'port!': intOrText });
export const probe = strict({
  httpGet,
  initialDelaySeconds: whole,
  periodSeconds: positive,
  timeoutSeconds: positive,
  failureThreshold: positive,
});
export const containerSecurity = strict({
  allowPrivilegeEscalation: yesNo,
  runAsNonRoot: yesNo,
  capabilities: strict({ drop: list(text), add: list(literal('NET_BIND_SERVICE')) }),
});
const volumeMount = strict({ 'name!': dnsName, 'mountPath!': text, subPath: text, readOnly: yesNo });
const portName: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 15 };
export const containerPort = strict({ 'containerPort!': positive, name: portName, protocol: literal('TCP') });
/** A tag or digest that does not move. */
export const pinnedImage: Schema = {
  type: 'string',
  pattern: '^[a-z0-9.-]+(/[a-z0-9._-]+)+(:[A-Za-z0-9._-]+|@sha256:[0-9a-f]{64})$',
  not: { pattern: ':latest$' },
};

export const containerFields = {
  'name!': dnsName,
  image: pinnedImage,
  imagePullPolicy: literal('IfNotPresent', 'Always', 'Never'),
  command: list(text),
  args: list(anyText),
  env: list(envVar),
  ports: list(containerPort),
  resources,
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: strict({ preStop: strict({ exec: strict({ command: list(text) }) }) }),
  securityContext: containerSecurity,
  volumeMounts: list(volumeMount),
};
export const container = strict(containerFields);

export const volume = strict({
  'name!': dnsName,
  persistentVolumeClaim: strict({ 'claimName!': dnsName }),
  emptyDir: strict({ medium: literal('', 'Memory'), sizeLimit: quantity }),
  configMap: strict({ 'name!': dnsName }),
});
export const toleration = strict({
  key: text,
  operator: literal('Exists', 'Equal'),
  effect: literal('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
});
export const podFields = {
  enableServiceLinks: yesNo,
  automountServiceAccountToken: yesNo,
  terminationGracePeriodSeconds: whole,
  nodeSelector: labels,
  tolerations: list(toleration),
  securityContext: strict({
    seccompProfile: strict({ 'type!': literal('RuntimeDefault', 'Localhost', 'Unconfined') }),
  }),
  initContainers: list(container),
  'containers!': list(container, 1),
  volumes: list(volume),
};
export const podSpec = strict(podFields);
export const podTemplate = strict({ metadata: podMetadata, 'spec!': podSpec });

export const rollingUpdate = strict({
  'type!': literal('RollingUpdate'),
  rollingUpdate: strict({ maxSurge: intOrText, maxUnavailable: intOrText }),
});

/** One object of a group and kind. */
export const kind = (apiVersion: string, name: string, body: Readonly<Record<string, Schema>>): Schema =>
  strict({ 'apiVersion!': literal(apiVersion), 'kind!': literal(name), 'metadata!': metadata, ...body });

const servicePort = strict({ name: portName, 'port!': positive, targetPort: intOrText });

export const CORE_KINDS: Readonly<Record<string, Schema>> = {
  PersistentVolumeClaim: kind('v1', 'PersistentVolumeClaim', {
    'spec!': strict({
      'accessModes!': list(literal('ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOncePod'), 1),
      'resources!': strict({ 'requests!': strict({ 'storage!': quantity }) }),
      storageClassName: text,
    }),
  }),
  ConfigMap: kind('v1', 'ConfigMap', {
    'data!': { type: 'object', propertyNames: { pattern: '^[-._a-zA-Z0-9]+$' }, additionalProperties: anyText },
  }),
  Service: kind('v1', 'Service', {
    'spec!': strict({
      'selector!': labels,
      sessionAffinity: literal('ClientIP', 'None'),
      clusterIP: literal('None'),
      publishNotReadyAddresses: yesNo,
      'ports!': list(servicePort, 1),
    }),
  }),
  PodDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', {
    'spec!': strict({ maxUnavailable: intOrText, minAvailable: intOrText, 'selector!': labelSelector }),
  }),
  Deployment: kind('apps/v1', 'Deployment', {
    'spec!': strict({
      replicas: whole,
      'selector!': labelSelector,
      strategy: rollingUpdate,
      progressDeadlineSeconds: positive,
      'template!': podTemplate,
    }),
  }),
  StatefulSet: kind('apps/v1', 'StatefulSet', {
    'spec!': strict({
      replicas: whole,
      'serviceName!': dnsName,
      podManagementPolicy: literal('OrderedReady', 'Parallel'),
      'selector!': labelSelector,
      'template!': podTemplate,
    }),
  }),
};
