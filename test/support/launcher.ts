import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { join, resolve } from 'node:path';

/** A running Inferloom, started the way a person does, on folders and a port of its own. */
export interface Launched {
  base: string;
  ownerLink: string | null;
  pid: number;
  output(): string;
  /** SIGTERM, then waits for the end. */
  stop(): Promise<number | null>;
  child: ChildProcess;
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = net.createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => done(port));
    });
  });
}

/** Runs `bootstrap.mjs start` (or `dev`) in `root` until it says that it is ready; throws with its output when it ends before. */
export async function launchApp(options: {
  data: string;
  root?: string;
  env?: Record<string, string>;
  port?: number;
  mode?: 'start' | 'dev';
}): Promise<Launched> {
  const root = options.root ?? process.cwd();
  const port = options.port ?? (await freePort());
  mkdirSync(options.data, { recursive: true });
  const child = spawn(process.execPath, [join(root, 'server/start/bootstrap.mjs'), options.mode ?? 'start'], {
    cwd: root,
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      INFERLOOM_DATA_DIR: resolve(options.data),
      PORT: String(port),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/Inferloom is ready/.test(output)) setTimeout(done, 100);
      });
    child.once('exit', (code) => fail(new Error(`the launcher ended (${code}):\n${output}`)));
  });
  await ready;
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode;
    child.kill('SIGTERM');
    await once(child, 'exit');
    return child.exitCode;
  };
  return {
    base: `http://localhost:${port}`,
    ownerLink: /http\S+\/welcome\/\S+/.exec(output)?.[0] ?? null,
    pid: child.pid ?? 0,
    output: () => output,
    stop,
    child,
  };
}

interface ProcessView {
  pid: number;
  parent: number;
  command: string;
}

/** Every process of this machine, from /proc. */
export function allProcesses(): ProcessView[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent, command }];
      } catch {
        // The process ended while we looked.
        return [];
      }
    });
}

/** Every process below `pid`. */
export function descendants(pid: number): ProcessView[] {
  const all = allProcesses();
  const below = (of: number): ProcessView[] => all.filter((p) => p.parent === of).flatMap((p) => [p, ...below(p.pid)]);
  return below(pid);
}
