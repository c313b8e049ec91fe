import { shellWords } from '../engines/shell-words';
import { type Finding, finding } from '../plan/finding';
import { type Container, invocationOf, takeAssignments } from './find-invocation';
import type { Importer, Invocation } from './importer';
import { readHead } from './read-head';
import { listOf, readYaml, recordOf, textOf } from './read-yaml';

/** A dollar that means itself is written twice in a Compose file. */
const undouble = (text: string): string => text.replaceAll('$$', '$');

/** Command or entry point: a line for a shell, or a list of words. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return shellWords(value).map(undouble);
  return listOf(value).flatMap((item) => {
    const text = textOf(item);
    return text === null ? [] : [undouble(text)];
  });
}

function environmentOf(value: unknown): Record<string, string> {
  if (!Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(recordOf(value)).map(([name, item]) => [name, undouble(textOf(item) ?? `$${name}`)]),
    );
  }
  return Object.fromEntries(
    value.flatMap((item) => {
      const text = textOf(item) ?? '';
      const at = text.indexOf('=');
      return [at < 0 ? [text, `$${text}`] : [text.slice(0, at), undouble(text.slice(at + 1))]];
    }),
  );
}

/** GPUs that the service reserves. */
function devicesOf(service: Record<string, unknown>): Invocation['devices'] {
  const resources = recordOf(recordOf(service.deploy).resources);
  const reserved = listOf(recordOf(resources.reservations).devices).map(recordOf);
  const gpus = Array.isArray(service.gpus) ? service.gpus.map(recordOf) : [];
  const [first] = [...reserved, ...gpus];
  if (first === undefined) {
    const usesGpu = service.gpus === 'all' || service.runtime === 'nvidia' || listOf(service.devices).length > 0;
    return usesGpu ? 'all' : null;
  }
  const ids = listOf(first.device_ids);
  if (ids.length > 0) return ids.length;
  const count = Number(textOf(first.count) ?? 'all');
  return Number.isInteger(count) ? count : 'all';
}

const READ_KEYS = ['image', 'command', 'entrypoint', 'environment', 'deploy', 'gpus', 'runtime', 'devices'];

function serviceOf(name: string, service: Record<string, unknown>): Invocation | null {
  const image = textOf(service.image);
  const others = Object.keys(service).filter((key) => !READ_KEYS.includes(key));
  const notKept = others.length === 0 ? [] : [`Of the service ${name}, ${others.join(', ')} are not kept.`];
  const devices = devicesOf(service);
  const container: Container = { image, env: environmentOf(service.environment), devices, device: null, notKept };
  const { env, rest } = takeAssignments([...wordsOf(service.entrypoint), ...wordsOf(service.command)]);
  return invocationOf(rest, { ...container, env: { ...container.env, ...env } });
}

/** A service that makes the weights before the server starts: its command is a script. */
const preparationOf = (services: readonly Record<string, unknown>[]): string[][] =>
  services.map((service) => [...wordsOf(service.entrypoint), ...wordsOf(service.command)]).filter((w) => w.length > 0);

const SERVICES = /^services[ \t]*:/m;

/** Docker Compose: every service that starts an engine. */
export const compose: Importer = {
  id: 'docker-compose',
  title: 'Docker Compose',
  recognizes: (text) => SERVICES.test(text),
  read(text) {
    const { documents, comments, findings } = readYaml(text);
    const head = readHead(comments);
    const services = documents.flatMap((document) => Object.entries(recordOf(recordOf(document).services)));
    const invocations: Invocation[] = [];
    const others: [string, Record<string, unknown>][] = [];
    for (const [name, value] of services) {
      const service = recordOf(value);
      const invocation = serviceOf(name, service);
      const isTool = wordsOf(service.entrypoint).some((word) => /^(?:\/bin\/)?(?:sh|bash)$/.test(word));
      if (invocation === null || (isTool && !/serve/.test(JSON.stringify(service.command ?? '')))) {
        others.push([name, service]);
      } else invocations.push({ ...invocation, head });
    }
    const preparation = preparationOf(others.map(([, service]) => service));
    const skipped = others.map(([name]): Finding => {
      return finding('info', 'service-not-imported', `The service ${name} starts no engine and is not imported.`);
    });
    return { invocations: invocations.map((i) => ({ ...i, preparation })), findings: [...findings, ...skipped] };
  },
};
