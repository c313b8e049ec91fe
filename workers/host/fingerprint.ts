import { createHash } from 'node:crypto';
import type { Host } from '@/server/core/run/trial';

const GIB = 1024 ** 3;

/**
 * Names hardware and engine builds: trials of one experiment need equal fingerprints. Memory counts in whole GiB,
 * since the kernel's own share differs from boot to boot.
 */
export function hostFingerprint(host: Omit<Host, 'fingerprint'>): string {
  const engines = Object.entries(host.engines)
    .map(([engine, runtimes]) => [engine, Object.entries(runtimes).sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const named = {
    cpu: host.cpuModel,
    cores: host.cores,
    memoryGib: Math.round(host.memoryBytes / GIB),
    devices: host.devices.map((d) => [d.name, Math.round(d.memoryBytes / GIB), d.driver]),
    engines,
  };
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 32);
}
