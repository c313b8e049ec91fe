import type { finding } from '../plan/finding';
import { commandLine } from './command-line';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';
import { isRecord, listOf, readYaml, recordOf, textOf } from './read-yaml';
import { fixedReplicas } from './scaling';

/** `H100: 8`, `H100:8`, a list or a choice of those: the first. */
function acceleratorOf(value: unknown): Pick<Invocation, 'device' | 'devices'> {
  const first = Array.isArray(value) ? value[0] : value;
  const [name, count] = isRecord(first) ? (Object.entries(first)[0] ?? []) : (textOf(first) ?? '').split(':');
  const number = Number(textOf(count) ?? 1);
  return { device: name || null, devices: name && Number.isInteger(number) ? number : null };
}

const imageOf = (value: unknown): string | null => textOf(value)?.replace(/^docker:/, '') ?? null;

const environmentOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(recordOf(value)).map(([name, item]) => [name, textOf(item) ?? `$${name}`]));

const READ_KEYS = ['name', 'resources', 'envs', 'secrets', 'run'];

function invocationsOf(document: Record<string, unknown>): {
  invocations: Invocation[];
  findings: ReturnType<typeof finding>[];
} {
  const resources = recordOf(document.resources);
  const run = textOf(document.run) ?? '';
  const { invocations, findings } = commandLine.read(run);
  const others = Object.keys(document).filter((key) => !READ_KEYS.includes(key));
  const notKept = others.length === 0 ? [] : [`Of the SkyPilot task, ${others.join(', ')} are not kept.`];
  const { replicas, replica_policy: policy } = recordOf(document.service);
  const { scaling, notKept: lost } = fixedReplicas(replicas ?? recordOf(policy).min_replicas);
  const env = environmentOf(document.envs);
  const image = imageOf(resources.image_id);
  const around = {
    ...acceleratorOf(resources.accelerators ?? listOf(resources.any_of).map(recordOf)[0]?.accelerators),
  };
  const read = invocations.map((found): Invocation => {
    return {
      ...found,
      ...around,
      image: found.image ?? image,
      env: { ...env, ...found.env },
      scaling,
      notKept: [...found.notKept, ...notKept, ...lost],
    };
  });
  return { invocations: read, findings };
}

/** A SkyPilot task: its `run` is a shell script. */
export const skypilot: Importer = {
  id: 'skypilot',
  title: 'SkyPilot',
  recognizes: (text) => /^run[ \t]*:/m.test(text) && /^(?:resources|service|num_nodes|setup)[ \t]*:/m.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const read = documents.map((document) => invocationsOf(recordOf(document)));
    return {
      invocations: read
        .flatMap(({ invocations }) => invocations)
        .map((found) => ({ ...found, head: found.head ?? head })),
      findings: [...findings, ...read.flatMap((part) => part.findings)],
    };
  },
};
