import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** What one engine's own program said of what this project emits for it. */
export interface Verdict {
  /** What was asked, e.g. "1,204 argument lists, 485 flags". */
  asked: string;
  /** Where we and the program disagree, one sentence each; [] where it accepts everything. */
  disagreements: string[];
}

/** One engine, one file, one line in `main.ts`. */
export interface Verifier {
  id: string;
  /** The program and version that judges. */
  title: string;
  /** @param folder of its own, kept from run to run; packages and programs go there and nowhere else */
  verify(folder: string): Promise<Verdict>;
}

/** Folder of all verifiers: INFERLOOM_VERIFY, or one in the machine's temporary folder. */
export const verifyFolder = (): string => process.env.INFERLOOM_VERIFY ?? path.join(os.tmpdir(), 'inferloom-verify');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; its input is `input`. */
export function run(program: string, args: readonly string[], input = '', timeoutMs = 10 * 60_000): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'pipe'], timeout: timeoutMs });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // A program that ends before it has read all says so by its exit code.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Runs a program that must succeed; throws with the end of what it said. */
export async function must(program: string, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input);
  if (code !== 0)
    throw new Error(`${program} ${args.slice(0, 4).join(' ')}: ${stderr.trim().split('\n').slice(-4).join(' | ')}`);
  return stdout;
}

/** Python with these packages, in a virtual environment of the folder. */
export async function pythonWith(folder: string, packages: readonly string[]): Promise<string> {
  if (packages.length === 0) return 'python3';
  await mkdir(folder, { recursive: true });
  const venv = path.join(folder, 'venv');
  await must('python3', ['-m', 'venv', venv]);
  const python = path.join(venv, 'bin', 'python');
  await must(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  return python;
}

/** The modules of a wheel, unpacked without its dependencies, for whatever Python runs here. */
export async function unpackWheel(folder: string, wheel: string): Promise<string> {
  const target = path.join(folder, wheel.replace(/[^\w.]+/g, '-'));
  const platforms = ['manylinux_2_34_x86_64', 'manylinux_2_28_x86_64', 'any'].flatMap((name) => ['--platform', name]);
  const foreign = ['--only-binary', ':all:', '--python-version', '3.11', ...platforms];
  await must('python3', [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--upgrade',
    '--target',
    target,
    ...foreign,
    wheel,
  ]);
  return target;
}
