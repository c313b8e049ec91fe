import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createLogTail, readLines } from '../drivers/process-group';
import { childEnvironment, entryOf } from './entry';
import { findLlamaLibrary } from './llama-library';

export interface QuantizeInput {
  /** An F16, BF16 or F32 GGUF file. */
  source: string;
  /** `Q4_K_M`, … */
  type: string;
  cacheDir: string;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** SHA-256 of a file, hex. */
export async function sha256File(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Name by content: the same source, type and library give the same file. */
export function cachedName(source: string, sourceSha256: string, type: string, libraryVersion: string): string {
  const key = createHash('sha256').update(`${sourceSha256}\0${type}\0${libraryVersion}`).digest('hex');
  const stem = path.basename(source, '.gguf').replace(/[-_.](b?f16|f32)$/i, '');
  return `${stem}-${type}-${key.slice(0, 16)}.gguf`;
}

/** Path of the quantized file: from the cache, or made now in a process of its own. Throws with the tool's last words. */
export async function quantizeFile(input: QuantizeInput): Promise<string> {
  const { source, type, cacheDir, log, signal } = input;
  const name = cachedName(source, await sha256File(source), type, findLlamaLibrary().version);
  const target = path.join(cacheDir, name);
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists) {
    log(`${type}: ${name} is in the cache`);
    return target;
  }
  signal.throwIfAborted();
  await mkdir(cacheDir, { recursive: true });
  await removeStaleParts(cacheDir);
  const draft = path.join(cacheDir, `.${name}.${randomUUID()}.part`);
  log(`${type}: quantizing ${path.basename(source)}`);
  const began = performance.now();
  try {
    await runQuantizer(source, draft, type, log, signal);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  const { size } = await stat(target);
  log(`${type}: ${name}, ${(size / 1e6).toFixed(1)} MB, made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return target;
}

const STALE_PART_MS = 6 * 3600_000;

/** Files that an agent left half written when it was killed. */
async function removeStaleParts(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.endsWith('.part')) continue;
    const file = path.join(cacheDir, name);
    const written = await stat(file).catch(() => null);
    if (written && Date.now() - written.mtimeMs > STALE_PART_MS) await rm(file, { force: true });
  }
}

/** llama.cpp prints a line a tensor: "[ 3/ 56] blk.0.attn_k.weight - […], type = f16, converting to q4_K …". */
const PROGRESS_MS = 1000;
const TENSOR_LINE = /^\[\s*(\d+)\s*\/\s*(\d+)\]/;

function runQuantizer(
  from: string,
  to: string,
  type: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const entry = entryOf('quantize');
  const args = [...entry.execArgv, entry.script, '--from', from, '--to', to, '--type', type];
  const child = spawn(process.execPath, args, {
    env: { ...childEnvironment(process.env), ...entry.env } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  const tail = createLogTail(20);
  let shownAt = performance.now();
  const onLine = (line: string): void => {
    tail.push(line);
    const [, done, all] = TENSOR_LINE.exec(line) ?? [];
    if (/fallback quantization/.test(line)) log(`${type}: ${line.trim()}`);
    if (!done || !all || performance.now() - shownAt < PROGRESS_MS) return;
    shownAt = performance.now();
    log(`${type}: ${done} of ${all} tensors`);
  };
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `quantizing to ${type} ended with ${killedBy ?? `code ${code}`}: ${tail.lines().slice(-3).join(' | ')}`,
          ),
        );
    });
  });
}
