import { flagTableOf } from '../engines/find-flag-spelling';
import { ENGINES } from '../engines/index';
import { splitFlags } from '../engines/split-flags';
import type { Pipeline } from '../pipeline/document';
import type { Finding } from '../plan/finding';
import { buildGraph } from './build-graph';
import { guessHardware, type HardwareIntent } from './guess-hardware';
import type { Invocation, Unmapped } from './importer';
import { readLlamaCpp } from './llama-cpp-flags';
import type { Parts } from './parts';
import { CPU_THREADS, flagsOfEnvironment, reportEnvironment } from './read-environment';
import { Reading } from './reading';
import { boundThreads, readVllm } from './vllm-flags';

/** Arguments that whoever launches sets: agent, script, manifest. Not part of the graph. */
const LAUNCHER_FLAGS: Readonly<Record<string, readonly string[]>> = {
  'llama-server': ['--host', '--port', '--metrics'],
  embedded: ['--host', '--port'],
  vllm: ['--host', '--port'],
};

const REQUEST_FIELDS = { temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', min_p: 'min_p' } as const;

/** Parameters of the measured requests, as the head of our own files names them. */
function readRequest(request: Readonly<Record<string, unknown>>, parts: Parts): void {
  const entries = Object.entries(REQUEST_FIELDS).map(([field, param]) => [param, request[field] ?? null]);
  const beams = request.use_beam_search === true ? request.n : null;
  const params = { ...Object.fromEntries(entries), beams };
  if (Object.values(params).some((value) => typeof value === 'number')) parts.techniques.set('sampling', params);
}

function readKey(reading: Reading, parts: Parts): void {
  const flag = reading.take('--api-key');
  if (flag === null || flag.value === null) return;
  parts.techniques.set('api-key', { secret: reading.secret(flag.value, flag.written) });
}

function readThreads(others: Record<string, string>, parts: Parts, hardware: HardwareIntent): void {
  const threads = boundThreads(others[CPU_THREADS] ?? '');
  if (threads === null || hardware.device !== 'cpu-local') return;
  delete others[CPU_THREADS];
  parts.techniques.set('threads', { threads });
}

function dropLauncherFlags(reading: Reading, { engine, runtime }: Invocation): void {
  for (const name of LAUNCHER_FLAGS[runtime ?? engine] ?? []) {
    const flag = reading.take(name);
    if (flag === null) continue;
    const message = `${flag.words.join(' ')} is not kept: whatever starts the engine sets it.`;
    reading.say('info', 'set-by-launcher', message);
  }
}

function engineParams({ engine, runtime, version, head }: Invocation, rawArgs: string | null): Record<string, unknown> {
  const pinned = ENGINES.find((known) => known.id === engine)?.versions.pinned;
  const named = head?.version ?? version;
  return {
    engine,
    ...(runtime === null ? {} : { runtime }),
    ...(named === null || named === pinned || runtime === 'embedded' ? {} : { version: named }),
    ...(rawArgs === null ? {} : { rawArgs }),
  };
}

function sayMissing(reading: Reading, parts: Parts, hardware: HardwareIntent): void {
  if (parts.model === null)
    reading.say('error', 'model-not-named', 'The command names no model: connect one.', 'deployment');
  if (!parts.techniques.has('context') && !reading.findings.some((f) => f.code === 'context-not-kept')) {
    const message = "The command sets no context length: in a plan that of the workload applies, not the model's.";
    reading.say('info', 'context-by-workload', message, 'workload');
  }
  if (!hardware.isNamed) {
    const message = `The text does not say which GPU: ${hardware.device} was put; choose yours.`;
    reading.say('warning', 'hardware-assumed', message, 'hardware');
  }
}

export interface ImportedInvocation {
  pipeline: Pipeline;
  findings: Finding[];
  unmapped: Unmapped[];
}

/** One engine start as a graph. Every flag and variable ends in a node, in the raw arguments or in a finding. */
export function importInvocation(invocation: Invocation): ImportedInvocation {
  const engine = ENGINES.find((known) => known.id === invocation.engine);
  const table = engine === undefined ? null : flagTableOf(engine, invocation.runtime);
  if (engine === undefined || table === null) throw new Error(`no flags are known of ${invocation.engine}`);
  const fromEnvironment = flagsOfEnvironment(invocation.env, table);
  const reading = new Reading(splitFlags(table, [...fromEnvironment.words, ...invocation.words]));
  reading.judgeSpellings(`${engine.title} ${engine.versions.pinned}`);
  const hardware = guessHardware(reading, invocation);
  const parts = invocation.engine === 'vllm' ? readVllm(reading, hardware.device) : readLlamaCpp(reading, invocation);
  const others = { ...fromEnvironment.others };
  readThreads(others, parts, hardware);
  readRequest(invocation.head?.request ?? {}, parts);
  readKey(reading, parts);
  dropLauncherFlags(reading, invocation);
  for (const sentence of invocation.notKept) reading.say('info', 'surroundings-not-kept', sentence);
  reportEnvironment(others, reading);
  const rawArgs = reading.rawArguments();
  sayMissing(reading, parts, hardware);
  const pipeline = buildGraph({ parts, engine: engineParams(invocation, rawArgs), hardware, name: null });
  return { pipeline, findings: reading.findings, unmapped: reading.unmapped };
}
