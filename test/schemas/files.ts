import {
  anyText,
  anything,
  eitherOf,
  intOrText,
  list,
  literal,
  mapOf,
  number,
  positive,
  quantity,
  type Schema,
  strict,
  text,
  whole,
  yesNo,
} from './json-schema';
import {
  containerFields,
  containerSecurity,
  envVar,
  labels,
  pinnedImage,
  probe,
  resources,
  rollingUpdate,
  toleration,
  volume,
} from './kubernetes';
import { scaledObjectInChart } from './operators';

/** The parts of values files and task files that ours use, in our own words, every object closed. */
const repository: Schema = { type: 'string', pattern: '^[a-z0-9.-]+(/[a-z0-9._-]+)+$' };
const tag: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', not: { const: 'latest' } };
const secret = strict({ 'secretName!': text, 'secretKey!': text });

const modelSpec = strict({
  'name!': { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
  'repository!': repository,
  'tag!': tag,
  'modelURL!': text,
  modelRevision: text,
  'replicaCount!': whole,
  'resources!': resources,
  pvcStorage: quantity,
  pvcAccessMode: list(literal('ReadWriteOnce', 'ReadWriteMany')),
  nodeSelectorTerms: list(
    strict({ 'matchExpressions!': list(strict({ 'key!': text, 'operator!': literal('In'), 'values!': list(text) })) }),
  ),
  runtimeClassName: anyText,
  tolerations: list(toleration),
  /** The chart switches prefix caching off where the key is missing. */
  'vllmConfig!': strict({ 'enablePrefixCaching!': yesNo, tensorParallelSize: positive, extraArgs: list(anyText) }),
  shmSize: quantity,
  hf_token: secret,
  env: list(envVar),
});

/** vllm-project/production-stack @a6c01db05f, helm/values.schema.json and the templates of chart vllm-stack 0.1.12. */
export const productionStackValues = strict({
  'servingEngineSpec!': strict({
    enableEngine: yesNo,
    vllmApiKey: secret,
    containerPort: positive,
    servicePort: positive,
    imagePullPolicy: literal('IfNotPresent', 'Always', 'Never'),
    containerSecurityContext: containerSecurity,
    startupProbe: probe,
    readinessProbe: probe,
    livenessProbe: probe,
    strategy: rollingUpdate,
    serviceMonitor: strict({ enabled: yesNo }),
    'modelSpec!': list(modelSpec, 1),
  }),
  'routerSpec!': strict({
    enableRouter: yesNo,
    'repository!': repository,
    'tag!': tag,
    imagePullPolicy: literal('IfNotPresent', 'Always', 'Never'),
    'routingLogic!': literal('roundrobin', 'session', 'prefixaware', 'kvaware', 'disaggregated_prefill_orchestrated'),
    sessionKey: text,
    extraArgs: list(text),
    vllmApiKey: secret,
    pdb: strict({ enabled: yesNo, maxUnavailable: intOrText }),
  }),
  extraObjects: list(scaledObjectInChart),
});

const { image: _image, ...unpinned } = containerFields;
const llmdContainer = strict({
  ...unpinned,
  'image!': pinnedImage,
  'modelCommand!': literal('vllmServe', 'imageDefault', 'custom'),
  mountModelVolume: yesNo,
});
const llmdPool = strict({
  'create!': yesNo,
  'replicas!': whole,
  nodeSelector: labels,
  parallelism: strict({ tensor: positive, data: positive, dataLocal: positive, workers: positive }),
  enableServiceLinks: yesNo,
  monitoring: strict({ podmonitor: strict({ enabled: yesNo, portName: text, path: text }) }),
  containers: list(llmdContainer, 1),
  volumes: list(volume),
});

/** llm-d-incubation/llm-d-modelservice @3051935eb5, charts/llm-d-modelservice/values.schema.json, chart v0.4.12. */
export const modelserviceValues = strict({
  fullnameOverride: text,
  'modelArtifacts!': strict({
    'name!': text,
    labels,
    'uri!': { type: 'string', pattern: '^hf://' },
    'size!': quantity,
  }),
  accelerator: strict({ type: literal('nvidia', 'amd', 'intel-gaudi', 'cpu') }),
  'routing!': strict({
    servicePort: positive,
    proxy: strict({
      'enabled!': yesNo,
      image: pinnedImage,
      imagePullPolicy: literal('IfNotPresent', 'Always', 'Never'),
      targetPort: positive,
      connector: literal('nixlv2'),
      secure: yesNo,
    }),
  }),
  'decode!': llmdPool,
  'prefill!': llmdPool,
});

/** skypilot 0.14.1, sky/utils/schemas.py: task, resources, service. Our files were checked by its own validator too. */
export const skyTask = strict({
  name: text,
  num_nodes: positive,
  'resources!': strict({
    accelerators: { ...mapOf(positive), maxProperties: 1 },
    cpus: text,
    'image_id!': { type: 'string', pattern: '^docker:', not: { pattern: ':latest$' } },
    ports: positive,
  }),
  envs: mapOf(anyText),
  secrets: mapOf(anyText),
  service: strict({
    'readiness_probe!': strict({ 'path!': text, initial_delay_seconds: number, timeout_seconds: number }),
    replicas: whole,
    load_balancing_policy: literal('round_robin', 'least_load', 'instance_aware_least_load'),
  }),
  setup: text,
  'run!': text,
});

const autoscaling = strict({
  min_replicas: whole,
  max_replicas: positive,
  target_ongoing_requests: { type: 'number', exclusiveMinimum: 0 },
  downscale_delay_s: number,
  metrics_interval_s: { type: 'number', exclusiveMinimum: 0 },
});
const ACCELERATORS = ['T4', 'V100', 'A10G', 'L4', 'L40S', 'A100', 'H100', 'H200', 'H20', 'B200', 'B300'];
const AMD = ['AMD-Instinct-MI300X-OAM', 'AMD-Instinct-MI325X-OAM', 'AMD-Instinct-MI355X-OAM'];
const llmConfig = strict({
  'model_loading_config!': strict({ 'model_id!': text, model_source: text }),
  accelerator_type: literal(...ACCELERATORS, ...AMD),
  engine_kwargs: { type: 'object', propertyNames: { pattern: '^[a-z0-9_]+$' }, additionalProperties: anything },
  deployment_config: eitherOf(strict({ 'num_replicas!': positive }), strict({ 'autoscaling_config!': autoscaling })),
});

/** ray 2.56.0: ray/serve/schema.py, ray/llm/_internal/serve/core/configs/llm_config.py, prefill_decode/builder.py. */
export const serveConfig = strict({
  'applications!': list(
    eitherOf(
      strict({
        'name!': text,
        route_prefix: text,
        'import_path!': literal('ray.serve.llm:build_openai_app'),
        'args!': strict({ 'llm_configs!': list(llmConfig, 1) }),
      }),
      strict({
        'name!': text,
        route_prefix: text,
        'import_path!': literal('ray.serve.llm:build_pd_openai_app'),
        'args!': strict({ 'prefill_config!': llmConfig, 'decode_config!': llmConfig }),
      }),
    ),
    1,
  ),
});
