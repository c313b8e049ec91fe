import {
  anyText,
  intOrText,
  list,
  literal,
  mapOf,
  positive,
  type Schema,
  strict,
  text,
  whole,
  yesNo,
} from './json-schema';
import { kind, labelSelector, labels, podFields, podSpec, podTemplate, rollingUpdate } from './kubernetes';

/**
 * The parts of custom resources that manifests of ours use, in our own words, every object closed. Each was read from
 * the definition named, and the same files were checked against the whole of that definition, strict.
 */
const behaviour = strict({
  scaleDown: strict({ stabilizationWindowSeconds: { type: 'integer', minimum: 0, maximum: 3600 } }),
});
const advanced = strict({ horizontalPodAutoscalerConfig: strict({ behavior: behaviour }) });
const prometheus = strict({
  'type!': literal('prometheus'),
  metricType: literal('AverageValue', 'Value'),
  'metadata!': strict({
    'serverAddress!': text,
    'query!': text,
    'threshold!': { type: 'string', pattern: '^[0-9.]+$' },
  }),
});

/** kedacore/keda @8b4f083ca8, config/crd/bases/keda.sh_scaledobjects.yaml; trigger: keda-docs 2.21, scalers/prometheus. */
const scaledObjectSpec = strict({
  'scaleTargetRef!': strict({ apiVersion: text, kind: text, 'name!': text }),
  pollingInterval: positive,
  minReplicaCount: positive,
  maxReplicaCount: positive,
  advanced,
  'triggers!': list(prometheus, 1),
});
/** The name may be a template of Helm where the object stands in values. */
export const scaledObjectInChart = strict({
  'apiVersion!': literal('keda.sh/v1alpha1'),
  'kind!': literal('ScaledObject'),
  'metadata!': strict({ 'name!': text, labels }),
  'spec!': scaledObjectSpec,
});

/** A pod whose containers come from a base: image and command may be left to it. */
const llmWorkload: Readonly<Record<string, Schema>> = {
  replicas: whole,
  parallelism: strict({ tensor: positive, pipeline: positive, data: positive, dataLocal: positive, expert: yesNo }),
  template: podSpec,
};

const replicaRange = { minReplicas: whole, maxReplicas: positive };

/** kserve/kserve @aaac4e294d, config/crd/full/serving.kserve.io_inferenceservices.yaml. */
const inferenceService = kind('serving.kserve.io/v1beta1', 'InferenceService', {
  'spec!': strict({
    'predictor!': strict({
      ...podFields,
      ...replicaRange,
      deploymentStrategy: rollingUpdate,
      autoScaling: strict({
        behavior: behaviour,
        metrics: list(
          strict({
            'type!': literal('External'),
            external: strict({
              'metric!': strict({ backend: literal('prometheus'), serverAddress: text, query: text }),
              'target!': strict({ type: literal('Value', 'AverageValue'), value: intOrText, averageValue: intOrText }),
            }),
          }),
          1,
        ),
      }),
    }),
  }),
});

/** kserve/kserve @aaac4e294d, config/crd/full/llmisvc/serving.kserve.io_llminferenceservices.yaml. */
const llmInferenceService = kind('serving.kserve.io/v1alpha2', 'LLMInferenceService', {
  'spec!': strict({
    'model!': strict({ 'uri!': { type: 'string', pattern: '^(hf|pvc|s3)://' }, name: text }),
    ...llmWorkload,
    scaling: strict({
      ...replicaRange,
      keda: strict({ pollingInterval: positive, advanced, 'triggers!': list(prometheus, 1) }),
    }),
    prefill: strict(llmWorkload),
    router: strict({ route: strict({}), gateway: strict({}), scheduler: strict({}) }),
  }),
});

/** ray-project/kuberay @feeaf72fac, ray-operator/config/crd/bases/ray.io_rayservices.yaml. */
const startParams = mapOf(anyText);
const rayService = kind('ray.io/v1', 'RayService', {
  'spec!': strict({
    'serveConfigV2!': text,
    'rayClusterConfig!': strict({
      rayVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
      enableInTreeAutoscaling: yesNo,
      'headGroupSpec!': strict({ rayStartParams: startParams, 'template!': podTemplate }),
      workerGroupSpecs: list(
        strict({
          'groupName!': text,
          replicas: whole,
          'minReplicas!': whole,
          'maxReplicas!': whole,
          rayStartParams: startParams,
          'template!': podTemplate,
        }),
        1,
      ),
    }),
  }),
});

/** ai-dynamo/dynamo, deploy/operator/api/v1beta1 (dynamographdeployment_types.go, dynamocomponentdeployment_types.go). */
const dynamoGraphDeployment = kind('nvidia.com/v1beta1', 'DynamoGraphDeployment', {
  'spec!': strict({
    backendFramework: literal('sglang', 'vllm', 'trtllm'),
    components: {
      ...list(
        strict({
          'name!': { type: 'string', pattern: '^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$', maxLength: 63 },
          type: literal('frontend', 'worker', 'prefill', 'decode', 'planner', 'epp'),
          replicas: whole,
          scalingAdapter: strict({}),
          multinode: strict({ 'nodeCount!': { type: 'integer', minimum: 2 } }),
          sharedMemorySize: text,
          podTemplate,
        }),
        1,
      ),
      maxItems: 25,
    },
  }),
});

export const OPERATOR_KINDS: Readonly<Record<string, Schema>> = {
  /** kubernetes-sigs/lws @060ab4da17, config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml. */
  LeaderWorkerSet: kind('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', {
    'spec!': strict({
      replicas: whole,
      'leaderWorkerTemplate!': strict({
        size: positive,
        restartPolicy: literal('Default', 'RecreateGroupOnPodRestart', 'RecreateGroupAfterStart', 'None'),
        leaderTemplate: podTemplate,
        'workerTemplate!': podTemplate,
      }),
    }),
  }),
  ScaledObject: kind('keda.sh/v1alpha1', 'ScaledObject', { 'spec!': scaledObjectSpec }),
  /** prometheus-operator @6adcebc507, example/prometheus-operator-crd-full/monitoring.coreos.com_servicemonitors.yaml. */
  ServiceMonitor: kind('monitoring.coreos.com/v1', 'ServiceMonitor', {
    'spec!': strict({
      'selector!': labelSelector,
      'endpoints!': list(
        strict({
          port: text,
          path: { type: 'string', pattern: '^/' },
          interval: { type: 'string', pattern: '^\\d+s$' },
          authorization: strict({ type: literal('Bearer'), credentials: strict({ 'name!': text, 'key!': text }) }),
        }),
        1,
      ),
    }),
  }),
  InferenceService: inferenceService,
  LLMInferenceService: llmInferenceService,
  RayService: rayService,
  DynamoGraphDeployment: dynamoGraphDeployment,
  /** kubernetes-sigs/gateway-api-inference-extension @84436a96b9, inference.networking.k8s.io_inferencepools.yaml. */
  InferencePool: kind('inference.networking.k8s.io/v1', 'InferencePool', {
    'spec!': strict({
      'selector!': strict({ 'matchLabels!': labels }),
      'targetPorts!': list(strict({ 'number!': positive }), 1),
      endpointPickerRef: strict({ 'name!': text, port: strict({ 'number!': positive }) }),
    }),
  }),
};
