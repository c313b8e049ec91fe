import { readShell } from '../engines/shell-words';
import { readContainerRun, versionOfImage } from './container';
import type { Start } from './dialects/dialect';
import { DIALECTS } from './dialects/index';
import type { Invocation } from './importer';

interface Found {
  engine: string;
  runtime: string | null;
  words: string[];
  /** Words before the command: wrappers such as numactl. */
  before: string[];
}

const fileName = (word: string): string =>
  word
    .replaceAll('\\', '/')
    .split('/')
    .pop()
    ?.replace(/\.exe$/i, '') ?? word;

const isWord = (pattern: string | RegExp, word: string): boolean =>
  typeof pattern === 'string' ? pattern === word || pattern === fileName(word) : pattern.test(fileName(word));

/** Words behind the command that belong to it; the last pattern may look at the first argument only. */
function startsAt(words: readonly string[], at: number, { words: patterns }: Start): number | null {
  if (!patterns.every((pattern, i) => at + i < words.length && isWord(pattern, words[at + i] ?? ''))) return null;
  const last = patterns.at(-1);
  const isLookahead = last instanceof RegExp && patterns.length > 1 && last.source.startsWith('^(?!');
  return at + patterns.length - (isLookahead ? 1 : 0);
}

const INTERPRETER = /^(?:python[\d.]*|uv|uvx|run|poetry|pipx|conda)$/;

/** The engine's command among the words, and its arguments. */
export function findCommand(words: readonly string[]): Found | null {
  for (const at of words.keys()) {
    for (const { engine, starts } of DIALECTS) {
      for (const start of starts) {
        const end = startsAt(words, at, start);
        if (end === null) continue;
        const before = words.slice(0, at);
        const plain =
          start.words[0] === '-m' && INTERPRETER.test(fileName(before.at(-1) ?? '')) ? before.slice(0, -1) : before;
        return { engine, runtime: start.runtime ?? null, words: words.slice(end), before: plain };
      }
    }
  }
  return null;
}

/** Images of Dynamo start nothing by themselves, and their tags count releases of Dynamo. */
const DYNAMO = /ai-dynamo/;

/** Arguments of an image whose entry point is the engine itself. */
function commandOfImage(image: string, rest: readonly string[]): Found | null {
  const found = findCommand(rest);
  if (found !== null) return found;
  const dialect = DIALECTS.find((known) => known.image.test(image.toLowerCase()));
  if (dialect === undefined || !dialect.isEntryPoint || DYNAMO.test(image)) return null;
  const { engine, runtime, imageWords } = dialect;
  const skipped = rest.findIndex((word) => !imageWords.includes(word));
  return { engine, runtime, words: rest.slice(skipped < 0 ? rest.length : skipped), before: [] };
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
/** Words in front of a command that change nothing of what it does. */
const SILENT = [
  'sudo',
  'exec',
  'nohup',
  'time',
  'env',
  'command',
  'setsid',
  'stdbuf',
  'do',
  'then',
  'else',
  'if',
  'while',
  '{',
  '!',
  '$',
  '>',
  '-E',
];
/** Runners of Python programs and what they are told; they change nothing of the command either. */
const RUNNERS =
  /^(?:(?:uv|poetry|pipx|conda) run|uvx|uv tool run)(?: (?:--?(?:with|python|extra|index|p|n|name|torch-backend)(?:[= ]\S+)|--?[a-z-]+))*$/;
const CONTAINER_TOOLS = ['docker', 'podman', 'nerdctl'];

/** Leading `NAME=value` words (and `env`, `sudo` before them) and the rest. */
export function takeAssignments(words: readonly string[]): { env: Record<string, string>; rest: string[] } {
  const env: Record<string, string> = {};
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    const match = ASSIGNMENT.exec(word);
    if (match) env[match[1] ?? ''] = match[2] ?? '';
    else if (!SILENT.includes(word) && fileName(word) !== 'env') break;
  }
  return { env, rest: words.slice(i) };
}

export interface Container {
  image: string | null;
  env: Record<string, string>;
  devices: Invocation['devices'];
  device: string | null;
  notKept: string[];
}

export const NO_CONTAINER: Container = { image: null, env: {}, devices: null, device: null, notKept: [] };

const SHELLS = ['sh', 'bash', 'zsh', 'ash'];
const SCRIPT_FLAG = /^-[a-z]*c$/;

/** `bash -c "script"`: the command of the script that starts an engine; other words as they are. */
function insideShell(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => SHELLS.includes(fileName(word)) && SCRIPT_FLAG.test(words[i + 1] ?? ''));
  const script = at < 0 ? undefined : words[at + 2];
  if (script === undefined) return words;
  const { statements } = readShell(script);
  return statements.find((statement) => findCommand(statement) !== null) ?? words;
}

/** The engine start among the words of a container's entry point and arguments, or of a plain command. */
export function invocationOf(words: readonly string[], container: Container): Invocation | null {
  const command = insideShell(words);
  const found = container.image === null ? findCommand(command) : commandOfImage(container.image, command);
  if (found === null) return null;
  const wrapper = takeAssignments(found.before);
  const wrapping = wrapper.rest.join(' ');
  const isSilent = wrapping === '' || RUNNERS.test(wrapping) || /^python[\d.]*(?: -u)?$/.test(fileName(wrapping));
  const around = isSilent ? [] : [`"${wrapping}" stands before the command and is not kept.`];
  const { image } = container;
  return {
    engine: found.engine,
    runtime: found.runtime,
    version: image === null || DYNAMO.test(image) ? null : versionOfImage(image),
    words: found.words,
    env: { ...container.env, ...wrapper.env },
    image,
    devices: container.devices,
    device: container.device,
    head: null,
    preparation: [],
    files: new Map(),
    scaling: null,
    notKept: [...container.notKept, ...around],
  };
}

/** The engine start in one shell command, behind variables, wrappers and `docker run`; null where there is none. */
export function invocationInCommand(words: readonly string[]): Invocation | null {
  const { env, rest } = takeAssignments(words);
  const run = CONTAINER_TOOLS.includes(fileName(rest[0] ?? '')) ? rest.indexOf('run') : -1;
  if (run < 0) return invocationOf(rest, { ...NO_CONTAINER, env });
  const container = readContainerRun(rest.slice(run + 1));
  if (container === null) return null;
  const { image, entrypoint, devices, others } = container;
  const notKept = others.map((option) => `The container option ${option} is not kept.`);
  const inner = takeAssignments([...entrypoint, ...container.rest]);
  return invocationOf(inner.rest, {
    image,
    env: { ...env, ...container.env, ...inner.env },
    devices,
    device: null,
    notKept,
  });
}
