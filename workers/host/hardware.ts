import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type { Host } from '@/server/core/run/trial';
import { findEngines } from './engines-found';
import { hostFingerprint } from './fingerprint';

/** Memory that this process may use: the container's limit where there is a smaller one. */
async function memoryBytes(): Promise<number> {
  const limits = await Promise.all(
    ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'].map((file) =>
      readFile(file, 'utf8').then(Number, () => Number.NaN),
    ),
  );
  return Math.min(os.totalmem(), ...limits.filter((n) => Number.isFinite(n) && n > 0));
}

/** CPU model as the kernel names it; virtual machines may hide it. */
function cpuModel(): string {
  const model = os.cpus()[0]?.model.trim().replace(/\s+/g, ' ');
  return model === undefined || model === '' ? `unknown ${os.arch()} CPU` : model;
}

/** What this host is: hardware, operating system, engines, and the fingerprint of all that. */
export async function describeHost(environment: Readonly<Record<string, string | undefined>>): Promise<Host> {
  const host = {
    cpuModel: cpuModel(),
    cores: os.availableParallelism(),
    memoryBytes: await memoryBytes(),
    devices: [],
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    engines: await findEngines(environment.PATH),
  };
  return { ...host, fingerprint: hostFingerprint(host) };
}
