import { finding } from '../plan/finding';
import { invocationOf, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';

const MANIFEST = /^[ \t]*["']?apiVersion["']?[ \t]*:/m;
const MAX_DEPTH = 40;

/** Every `containers` list of a manifest, whatever its kind: Deployment, StatefulSet, Pod, Job, LeaderWorkerSet, List. */
function containersIn(value: unknown, depth = 0): Record<string, unknown>[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => containersIn(item, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'containers' ? listOf(item).filter(isRecord) : containersIn(item, depth + 1),
  );
}

const textsOf = (value: unknown): string[] => listOf(value).flatMap((item) => textOf(item) ?? []);

/** Variables of a container; one that comes from a secret or another source is named, its value is not there. */
function environmentOf(container: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    listOf(container.env).map((item) => {
      const { name, value } = recordOf(item);
      const variable = textOf(name) ?? '';
      return [variable, textOf(value) ?? `$${variable}`];
    }),
  );
}

function devicesOf(container: Record<string, unknown>): Invocation['devices'] {
  const { limits, requests } = recordOf(container.resources);
  const entry = Object.entries({ ...recordOf(requests), ...recordOf(limits) }).find(([key]) => /gpu/i.test(key));
  const count = Number(textOf(entry?.[1]) ?? Number.NaN);
  return Number.isInteger(count) && count > 0 ? count : null;
}

const READ_KEYS = ['name', 'image', 'command', 'args', 'env', 'resources'];

function containerOf(container: Record<string, unknown>): Invocation | null {
  const others = Object.keys(container).filter((key) => !READ_KEYS.includes(key));
  const name = textOf(container.name) ?? '?';
  const notKept = others.length === 0 ? [] : [`Of the container ${name}, ${others.join(', ')} are not kept.`];
  const { env, rest } = takeAssignments([...textsOf(container.command), ...textsOf(container.args)]);
  const variables = { ...environmentOf(container), ...env };
  const surroundings = {
    image: textOf(container.image),
    env: variables,
    devices: devicesOf(container),
    device: null,
    notKept,
  };
  return invocationOf(rest, surroundings);
}

/** Kubernetes manifests: every container that starts an engine. */
export const kubernetes: Importer = {
  id: 'kubernetes',
  title: 'Kubernetes',
  recognizes: (text) => MANIFEST.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const invocations: Invocation[] = [];
    for (const document of documents) {
      const containers = containersIn(document);
      const found = containers.flatMap((container) => containerOf(container) ?? []);
      invocations.push(...found.map((invocation) => ({ ...invocation, head })));
      if (found.length > 0) continue;
      const { kind, metadata } = recordOf(document);
      const name = textOf(recordOf(metadata).name) ?? '?';
      const message = `${textOf(kind) ?? 'A document'} ${name} starts no engine and is not imported.`;
      findings.push(finding('info', 'document-not-imported', message));
    }
    return { invocations, findings };
  },
};
