import { type Finding, finding } from '../plan/finding';
import { invocationOf, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { inferenceService, llmInferenceService } from './kserve';
import { deviceOf, devicesOf, environmentOf, textsOf } from './pod-parts';
import { rayInvocations } from './ray-serve';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';
import { fixedReplicas, type Scaling, scaledByKeda, scaledByPredictor } from './scaling';

const MANIFEST = /^[ \t]*["']?apiVersion["']?[ \t]*:/m;
const MAX_DEPTH = 40;

interface Placed {
  container: Record<string, unknown>;
  pod: Record<string, unknown>;
}

/** Every `containers` list of a manifest, whatever its kind: Deployment, StatefulSet, Pod, Job, LeaderWorkerSet, List. */
function containersIn(value: unknown, depth = 0): Placed[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => containersIn(item, depth + 1));
  if (!isRecord(value)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    key === 'containers'
      ? listOf(item)
          .filter(isRecord)
          .map((container) => ({ container, pod: value }))
      : containersIn(item, depth + 1),
  );
  // Dynamo's older form has one container a service.
  const { mainContainer } = value;
  return isRecord(mainContainer) ? [...inner, { container: mainContainer, pod: value }] : inner;
}

const CONTAINER = ['name', 'image', 'command', 'args', 'env', 'resources'];
const SCALING = ['minReplicas', 'maxReplicas', 'autoScaling'];
const POD = ['containers', 'nodeSelector', 'affinity', 'mainContainer', ...SCALING];

const notKept = (what: string, value: Record<string, unknown>, read: readonly string[]): string[] => {
  const others = Object.keys(value).filter((key) => !read.includes(key));
  return others.length === 0 ? [] : [`Of the ${what}, ${others.join(', ')} are not kept.`];
};

const VARIABLE = /\$\(([A-Za-z_][\w.-]*)\)/g;

/** `$(NAME)` in arguments is a variable of the container; one that is used up in them is none of the engine's. */
function fillVariables(
  words: readonly string[],
  env: Record<string, string>,
): { words: string[]; env: Record<string, string> } {
  const used = new Set<string>();
  const filled = words.map((word) =>
    word.replace(VARIABLE, (written, name: string) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value === undefined || value === `$${name}`) return written;
      used.add(name);
      return value;
    }),
  );
  return { words: filled, env: Object.fromEntries(Object.entries(env).filter(([name]) => !used.has(name))) };
}

function containerOf({ container, pod }: Placed): Invocation | null {
  const written = [...textsOf(container.command), ...textsOf(container.args)];
  const { words, env: variables } = fillVariables(written, environmentOf(container));
  const { env, rest } = takeAssignments(words);
  const found = invocationOf(rest, {
    image: textOf(container.image),
    env: { ...variables, ...env },
    devices: devicesOf(container),
    device: deviceOf(pod),
    notKept: [
      ...notKept(`container ${textOf(container.name) ?? '?'}`, container, CONTAINER),
      ...notKept('pod', pod, POD),
    ],
  });
  // What runs before it makes or fetches the weights.
  const before = listOf(pod.initContainers).map(recordOf);
  const preparation = before.map(({ command, args }) => [...textsOf(command), ...textsOf(args)]);
  return found === null ? null : { ...found, preparation };
}

/** Copies of what a document starts: KEDA's object for it counts more than the number in it. */
function scalingOf(
  engine: string,
  document: Record<string, unknown>,
  all: readonly Record<string, unknown>[],
): Scaling {
  const spec = recordOf(document.spec);
  const name = textOf(recordOf(document.metadata).name);
  const scaled = all.filter(({ kind }) => kind === 'ScaledObject').map((object) => recordOf(object.spec));
  // Dynamo's workers are scaled by the name of their part, `name-worker`.
  const [own] = scaled.filter((object) => {
    const target = textOf(recordOf(object.scaleTargetRef).name);
    return target === name || (scaled.length === 1 && target?.startsWith(`${name}-`));
  });
  if (own !== undefined) return scaledByKeda(engine, own);
  switch (document.kind) {
    case 'InferenceService':
      return scaledByPredictor(engine, recordOf(spec.predictor));
    case 'LLMInferenceService': {
      const scaling = recordOf(spec.scaling);
      const { minReplicas: min, maxReplicas: max } = scaling;
      return Object.keys(scaling).length === 0
        ? fixedReplicas(spec.replicas)
        : scaledByKeda(engine, recordOf(scaling.keda), { min, max });
    }
    case 'DynamoGraphDeployment': {
      const worker = listOf(spec.components)
        .map(recordOf)
        .find(({ type }) => type === 'worker');
      return fixedReplicas(worker?.replicas);
    }
    default:
      return fixedReplicas(spec.replicas);
  }
}

/** Ray's workers run the engine: their variables are its own. */
function readRay(document: Record<string, unknown>): Invocation[] {
  const spec = recordOf(document.spec);
  const config = textOf(spec.serveConfigV2);
  const [workers] = listOf(recordOf(spec.rayClusterConfig).workerGroupSpecs).flatMap((group) => containersIn(group));
  const env = workers === undefined ? {} : environmentOf(workers.container);
  const found = config === null ? [] : readYaml(config).documents.flatMap(rayInvocations);
  return found.map((one) => ({ ...one, env: { ...env, ...one.env } }));
}

function invocationsOf(document: Record<string, unknown>): Invocation[] {
  switch (document.kind) {
    case 'LLMInferenceService':
      return llmInferenceService(document);
    case 'RayService':
      return readRay(document);
    default: {
      const served = document.kind === 'InferenceService' ? inferenceService(document) : [];
      return [...served, ...containersIn(document).flatMap((placed) => containerOf(placed) ?? [])];
    }
  }
}

function withScaling(
  found: Invocation,
  document: Record<string, unknown>,
  all: readonly Record<string, unknown>[],
): Invocation {
  const { scaling, notKept } = scalingOf(found.engine, document, all);
  return { ...found, scaling: found.scaling ?? scaling, notKept: [...found.notKept, ...notKept] };
}

/** Files of the ConfigMaps, by their keys and by the paths at which single ones are mounted. */
function filesOf(documents: readonly Record<string, unknown>[]): Map<string, string> {
  const maps = documents.filter(({ kind }) => kind === 'ConfigMap');
  const files = new Map(
    maps.flatMap(({ data }) =>
      Object.entries(recordOf(data)).map(([name, value]) => [name, textOf(value) ?? ''] as const),
    ),
  );
  const mounts = documents.flatMap((document) =>
    containersIn(document).flatMap(({ container }) => listOf(container.volumeMounts).map(recordOf)),
  );
  for (const { mountPath, subPath } of files.size === 0 ? [] : mounts) {
    const content = files.get(textOf(subPath) ?? '');
    if (content !== undefined) files.set(textOf(mountPath) ?? '', content);
  }
  return files;
}

function skipped(document: Record<string, unknown>): Finding {
  const name = textOf(recordOf(document.metadata).name) ?? '?';
  const kind = textOf(document.kind) ?? 'A document';
  if (kind === 'ConfigMap') {
    return finding(
      'info',
      'document-not-imported',
      `Of the ConfigMap ${name}, only what the engine reads is imported.`,
    );
  }
  return finding('info', 'document-not-imported', `${kind} ${name} starts no engine and is not imported.`);
}

/** Items of a List stand for themselves. */
const spread = (document: Record<string, unknown>): Record<string, unknown>[] =>
  document.kind === 'List' ? listOf(document.items).filter(isRecord) : [document];

/** Kubernetes manifests, KServe's, Ray's and Dynamo's among them: everything that starts an engine. */
export const kubernetes: Importer = {
  id: 'kubernetes',
  title: 'Kubernetes',
  recognizes: (text) => MANIFEST.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const all = documents.filter(isRecord).flatMap(spread);
    const files = filesOf(all);
    const invocations: Invocation[] = [];
    for (const document of all) {
      const found = invocationsOf(document);
      invocations.push(...found.map((one) => ({ ...withScaling(one, document, all), head, files })));
      if (found.length === 0 && document.kind !== 'ScaledObject') findings.push(skipped(document));
    }
    return { invocations, findings };
  },
};
