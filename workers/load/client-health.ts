import { readFileSync } from 'node:fs';
import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;

export interface ClientHealth {
  cpuShare: number;
  eventLoopLagMsP99: number;
  eventLoopLagMsMax: number;
  stealShare: number | null;
  loadAverage1: number | null;
  cores: number;
  priority: number;
}

/** Jiffies of /proc/stat's first line: stolen and in all; null where there is no such file (macOS). */
function readSteal(): { stolen: number; total: number } | null {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number);
    if (!fields || fields.length < 8) return null;
    return { stolen: fields[7] ?? 0, total: fields.reduce((sum, v) => sum + v, 0) };
  } catch {
    return null;
  }
}

/** Watches this process and its host until it is asked: CPU, event-loop lag, steal, load. */
export function watchClient(): { stop(): ClientHealth } {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const steal = readSteal();
  const loadAverage1 = os.platform() === 'win32' ? null : (os.loadavg()[0] ?? null);
  // The histogram holds whole intervals between ticks: the resolution itself is no lag.
  const lagMs = (ns: number): number => (Number.isFinite(ns) ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
  return {
    stop() {
      lag.disable();
      const used = process.cpuUsage(cpu);
      const elapsedMs = performance.now() - start;
      const now = readSteal();
      const total = steal && now ? now.total - steal.total : 0;
      return {
        cpuShare: (used.user + used.system) / 1000 / elapsedMs,
        eventLoopLagMsP99: lagMs(lag.percentile(99)),
        eventLoopLagMsMax: lagMs(lag.max),
        stealShare: steal && now && total > 0 ? (now.stolen - steal.stolen) / total : null,
        loadAverage1,
        cores: os.cpus().length,
        priority: os.getPriority(),
      };
    },
  };
}
