import { readShell } from '../engines/shell-words';
import { engineOfImage, readContainerRun, versionOfImage } from './container';
import type { Invocation } from './importer';

interface Found {
  engine: Invocation['engine'];
  runtime: Invocation['runtime'];
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

const LLAMA_COMMANDS = ['llama-server', 'llama-cpp-server'];
const ENTRY_POINT = /^vllm\.entrypoints\.(?:openai\.)?api_server$/;

/** The engine's command among the words, and its arguments. */
export function findCommand(words: readonly string[]): Found | null {
  for (const [i, word] of words.entries()) {
    const before = words.slice(0, i);
    const name = fileName(word);
    if (name === 'vllm' && words[i + 1] === 'serve') {
      return { engine: 'vllm', runtime: null, words: words.slice(i + 2), before };
    }
    if (word === '-m' && ENTRY_POINT.test(words[i + 1] ?? '')) {
      return { engine: 'vllm', runtime: null, words: words.slice(i + 2), before: before.slice(0, -1) };
    }
    if (word === '-m' && words[i + 1] === 'vllm.entrypoints.cli.main' && words[i + 2] === 'serve') {
      return { engine: 'vllm', runtime: null, words: words.slice(i + 3), before: before.slice(0, -1) };
    }
    if (LLAMA_COMMANDS.includes(name)) {
      return { engine: 'llama.cpp', runtime: 'llama-server', words: words.slice(i + 1), before };
    }
    if (name === 'inferloom-engine') {
      return { engine: 'llama.cpp', runtime: 'embedded', words: words.slice(i + 1), before };
    }
  }
  return null;
}

/** Arguments of an image whose entry point is the engine itself. */
function commandOfImage(image: string, rest: readonly string[]): Found | null {
  const found = findCommand(rest);
  if (found !== null) return found;
  const engine = engineOfImage(image);
  if (engine === null) return null;
  const [first] = rest;
  // vLLM's entry point may be `vllm`, that of llama.cpp's full image a script that takes --server.
  const skipped = first === 'serve' || first === '--server' || first === '-s' ? 1 : 0;
  const runtime = engine === 'vllm' ? null : 'llama-server';
  return { engine, runtime, words: rest.slice(skipped), before: [] };
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
/** Words in front of a command that change nothing of what it does. */
const SILENT = ['sudo', 'exec', 'nohup', 'time', 'env', 'command', '!', '$', '>', '-E'];
const CONTAINER_TOOLS = ['docker', 'podman', 'nerdctl'];

/** Leading `NAME=value` words (and `env`, `sudo` before them) and the rest. */
export function takeAssignments(words: readonly string[]): { env: Record<string, string>; rest: string[] } {
  const env: Record<string, string> = {};
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    const match = ASSIGNMENT.exec(word);
    if (match) env[match[1] ?? ''] = match[2] ?? '';
    else if (!SILENT.includes(word)) break;
  }
  return { env, rest: words.slice(i) };
}

export interface Container {
  image: string | null;
  env: Record<string, string>;
  devices: Invocation['devices'];
  notKept: string[];
}

export const NO_CONTAINER: Container = { image: null, env: {}, devices: null, notKept: [] };

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
  const around = wrapper.rest.length === 0 ? [] : [`"${wrapper.rest.join(' ')}" stands before the command.`];
  const { image } = container;
  return {
    engine: found.engine,
    runtime: found.runtime,
    version: image === null ? null : versionOfImage(image),
    words: found.words,
    env: { ...container.env, ...wrapper.env },
    image,
    devices: container.devices,
    head: null,
    preparation: [],
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
  return invocationOf(inner.rest, { image, env: { ...env, ...container.env, ...inner.env }, devices, notKept });
}
