import { type Finding, finding } from '../plan/finding';
import { invocationOf, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { inferenceService, llmInferenceService } from './kserve';
import { deviceOf, devicesOf, environmentOf, textsOf } from './pod-parts';
import { rayInvocations } from './ray-serve';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';

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
const POD = ['containers', 'nodeSelector', 'affinity', 'mainContainer'];

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
  return invocationOf(rest, {
    image: textOf(container.image),
    env: { ...variables, ...env },
    devices: devicesOf(container),
    device: deviceOf(pod),
    notKept: [
      ...notKept(`container ${textOf(container.name) ?? '?'}`, container, CONTAINER),
      ...notKept('pod', pod, POD),
    ],
  });
}

/** Replicas stand outside the plan of one engine. */
function replicasOf(document: Record<string, unknown>): string[] {
  const replicas = textOf(recordOf(document.spec).replicas);
  return replicas === null || replicas === '1' ? [] : [`${replicas} replicas are one engine here: add a scaling node.`];
}

const readRay = (document: Record<string, unknown>): Invocation[] => {
  const config = textOf(recordOf(document.spec).serveConfigV2);
  return config === null ? [] : readYaml(config).documents.flatMap(rayInvocations);
};

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

/** Files of the ConfigMaps, by the name under which they are mounted. */
function filesOf(documents: readonly Record<string, unknown>[]): Map<string, string> {
  const maps = documents.filter(({ kind }) => kind === 'ConfigMap');
  return new Map(
    maps.flatMap(({ data }) =>
      Object.entries(recordOf(data)).map(([name, value]) => [name, textOf(value) ?? ''] as const),
    ),
  );
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
      const around = replicasOf(document);
      invocations.push(...found.map((one) => ({ ...one, head, files, notKept: [...one.notKept, ...around] })));
      if (found.length === 0) findings.push(skipped(document));
    }
    return { invocations, findings };
  },
};
