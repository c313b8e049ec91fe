import type { Engine } from '../../engines/engine';
import { CONTAINER_SECURITY, HUB_TOKEN, planEnv, sharedMemory } from '../cluster/container';
import type { PlacedComponent } from '../cluster/plan-parts';
import { text, type YamlMap } from '../yaml-nodes';

/** Ray with vLLM. Source: ray-operator/config/samples/ray-service.llm-serve.yaml of kuberay @feeaf72fac. */
export const RAY_VERSION = '2.52.0';
export const RAY_IMAGE = `rayproject/ray-llm:${RAY_VERSION}-py311-cu128`;
const CACHE = '/home/ray/.cache/huggingface';

/** The head serves the API and holds no device. */
export const headGroup = (): YamlMap => ({
  rayStartParams: { 'num-cpus': text('0', 'no replica runs on the head'), 'num-gpus': text('0') },
  template: {
    spec: {
      containers: [
        {
          name: 'ray-head',
          image: text(RAY_IMAGE, 'pinned'),
          ports: [
            { containerPort: 8000, name: 'serve' },
            { containerPort: 8080, name: 'metrics' },
            { containerPort: 6379, name: 'gcs' },
            { containerPort: 8265, name: 'dashboard' },
            { containerPort: 10001, name: 'client' },
          ],
          resources: { requests: { cpu: text('2'), memory: '4Gi' }, limits: { memory: '5Gi' } },
          securityContext: CONTAINER_SECURITY,
        },
      ],
    },
  },
});

/** Workers of one component: a replica of the model each. */
export function workerGroup(
  part: PlacedComponent,
  engine: Engine,
  claim: string,
  count: { min: number; max: number },
): YamlMap {
  const { placement, component } = part;
  const limits =
    placement.resource === null
      ? undefined
      : { [placement.resource]: text(String(placement.perNode), component.hardware.id) };
  const isNvidia = placement.resource === 'nvidia.com/gpu';
  return {
    groupName: component.role === 'engine' ? 'workers' : component.role,
    replicas: count.min,
    minReplicas: count.min,
    maxReplicas: count.max,
    rayStartParams: placement.resource === null ? {} : { 'num-gpus': text(String(placement.perNode)) },
    template: {
      spec: {
        nodeSelector: placement.nodeSelector === null ? undefined : { ...placement.nodeSelector },
        tolerations: isNvidia ? [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] : undefined,
        containers: [
          {
            name: 'ray-worker',
            image: text(RAY_IMAGE, 'pinned'),
            env: [...planEnv(part), HUB_TOKEN],
            ...(limits === undefined ? {} : { resources: { limits } }),
            securityContext: CONTAINER_SECURITY,
            volumeMounts: [
              { name: 'weights', mountPath: CACHE },
              { name: 'shm', mountPath: '/dev/shm' },
            ],
          },
        ],
        volumes: [
          { name: 'weights', persistentVolumeClaim: { claimName: claim } },
          { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: sharedMemory(engine) } },
        ],
      },
    },
  };
}
