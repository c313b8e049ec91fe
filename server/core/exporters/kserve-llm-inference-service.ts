import { quote } from 'shell-quote';
import { argsApart, entry } from './cluster/args-apart';
import { clusterHead } from './cluster/cluster-head';
import { HUB_TOKEN, planEnv, wordItems } from './cluster/container';
import { type HeldPolicies, holdPolicies } from './cluster/held-policies';
import { isEngine } from './cluster/launches';
import { dnsLabel, objectLabels } from './cluster/names';
import {
  needsOf,
  noImage,
  type PlacedComponent,
  partFindings,
  placedComponents,
  refuseFiles,
  refusePodsOf,
  refuseSpread,
  replacedRouter,
} from './cluster/plan-parts';
import { argValue } from './cluster/secrets';
import { kedaTrigger, scaleDownBehaviour, windowOf } from './cluster/triggers';
import type { Exporter, ExportInput } from './exporter';
import { noted, text, type YamlMap, yamlFile } from './yaml-nodes';

const FORM = 'A KServe LLMInferenceService';

const PICKER = {
  policies: ['prefix-aware', 'least-loaded'],
  how: 'the endpoint picker of llm-d scores the prefix in cache and the load together',
};

const refusal: Exporter['refusal'] = (plan) =>
  refusePodsOf(plan, ['vllm'], FORM) ?? refuseSpread(plan, FORM) ?? refuseFiles(plan, FORM);

/** Arguments that KServe writes from fields of its own. */
const APART = ['--revision', '--tensor-parallel-size'];

/**
 * KServe's own command of the container stays (it adds address, name, certificate and time to stop) and puts the
 * arguments behind it through `eval`: each is quoted for the shell. Source: config/llmisvcconfig of kserve @aaac4e294d.
 */
function container(part: PlacedComponent): YamlMap {
  const { launch, placement, component } = part;
  const { rest } = argsApart(launch, APART);
  const args = wordItems(launch, { args: rest, added: [], write: (value) => quote([argValue(value)]) });
  const limits =
    placement.resource === null
      ? undefined
      : { [placement.resource]: text(String(placement.perNode), component.hardware.id) };
  return {
    name: 'main',
    image: text(part.image ?? '', 'pinned'),
    ...(args.length === 0 ? {} : { args }),
    env: [...planEnv(part), HUB_TOKEN],
    ...(limits === undefined ? {} : { resources: { limits } }),
    securityContext: { runAsNonRoot: noted(false, 'the official image runs as root') },
  };
}

/** One pool, or the whole service: its pods and how they split the model. */
function workload(part: PlacedComponent): YamlMap {
  const { placement } = part;
  const tensor = argsApart(part.launch, APART).numberOf('--tensor-parallel-size');
  const isNvidia = placement.resource === 'nvidia.com/gpu';
  return {
    ...(tensor === undefined ? {} : { parallelism: { tensor } }),
    template: {
      enableServiceLinks: false,
      nodeSelector: placement.nodeSelector === null ? undefined : { ...placement.nodeSelector },
      tolerations: isNvidia ? [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] : undefined,
      containers: [container(part)],
    },
  };
}

function replicaKeys({ plan }: ExportInput, part: PlacedComponent, held: HeldPolicies): YamlMap {
  const { scaling } = plan.policies;
  if (held.trigger === null || scaling === null) return { replicas: held.replicas ?? part.component.replicas };
  return {
    scaling: {
      minReplicas: scaling.minReplicas,
      maxReplicas: scaling.maxReplicas,
      keda: {
        pollingInterval: scaling.pollS,
        advanced: scaleDownBehaviour(windowOf(scaling).seconds),
        triggers: [kedaTrigger(scaling, held.trigger)],
      },
    },
  };
}

/** Where the weights come from; a revision stands behind a colon. */
function modelKeys(part: PlacedComponent): YamlMap {
  const { model, textOf } = argsApart(part.launch, APART);
  const repo = model?.value ?? '';
  const revision = textOf('--revision');
  const uri = `hf://${repo}${revision === undefined ? '' : `:${revision.value}`}`;
  return { uri: text(uri, model?.origin ?? null), name: repo };
}

function service(input: ExportInput, parts: readonly PlacedComponent[], held: HeldPolicies): YamlMap | null {
  const { plan } = input;
  const main = parts.find(({ component }) => component.role !== 'prefill');
  const prefill = parts.find(({ component }) => component.role === 'prefill');
  if (main === undefined) return null;
  const name = dnsLabel(plan.deployment);
  const isRouted = prefill !== undefined || plan.policies.routing?.policy !== 'round-robin';
  return {
    apiVersion: 'serving.kserve.io/v1alpha2',
    kind: 'LLMInferenceService',
    metadata: {
      name,
      labels: objectLabels(name, main.component),
      annotations: { 'inferloom/plan-hash': plan.planHash },
    },
    spec: {
      model: modelKeys(main),
      ...replicaKeys(input, main, held),
      ...workload(main),
      ...entry('prefill', prefill && { replicas: prefill.component.replicas, ...workload(prefill) }),
      router: { route: {}, gateway: {}, ...(isRouted ? { scheduler: {} } : {}) },
    },
  };
}

export const kserveLlmInferenceService: Exporter = {
  id: 'kserve-llm-inference-service',
  group: 'cluster',
  title: 'KServe LLMInferenceService',
  summary: 'vLLM with the scheduler of llm-d, pools of prefill and decode, autoscaling',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render(input) {
    const { plan, engine, evidence } = input;
    const parts = placedComponents(plan, engine).filter(({ component }) => isEngine(component));
    const name = dnsLabel(plan.deployment);
    const held = holdPolicies(plan, engine, {
      selector: `pod=~"${name}-kserve-.*"`,
      routing: ['round-robin'],
      routesOtherwise: PICKER,
      scales: true,
    });
    const body = service(input, parts, held);
    if (body === null) return { files: [], findings: [noImage(engine, engine.versions.pinned)] };
    const head = [
      ...clusterHead(plan, parts, evidence),
      'KServe adds --served-model-name, --port and the certificate; the scheduler of llm-d spreads requests by prefix and load.',
      ...needsOf(plan, engine),
    ];
    const findings = [...partFindings(parts, plan), ...held.findings, ...replacedRouter(plan, 'KServe')];
    return { files: [{ path: 'llm-inference-service.yaml', content: yamlFile(head, [{ body }]) }], findings };
  },
};
