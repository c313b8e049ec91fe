import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { descendants, readAllProcesses, readHostCpu, readPssBytes } from './proc';
import type { TelemetrySample } from './summary';

export interface TelemetrySampler {
  samples(): readonly TelemetrySample[];
  /** Takes a last sample and ends. */
  stop(): Promise<readonly TelemetrySample[]>;
}

/** Reading PSS walks the engine's page tables: above this cost it is read only once more, at the end. */
const PSS_BUDGET_MS = 5;

/** Epoch ms with a fraction, from the monotonic clock. */
export const epochMs = (): number => performance.timeOrigin + performance.now();

/**
 * Looks at the engine's process group and the host every `everyMs`.
 * @param enginePid leader of the engine's process group; null for an endpoint that we don't own
 */
export function startSampler(enginePid: number | null, everyMs = 500): TelemetrySampler {
  const taken: TelemetrySample[] = [];
  let pssIsCheap = true;
  let inProgress: Promise<void> | null = null;

  const sample = async (withMemory: boolean): Promise<void> => {
    const atMs = epochMs();
    const [all, host] = await Promise.all([readAllProcesses(), readHostCpu()]);
    const engine = enginePid === null ? [] : all.filter((p) => p.group === enginePid || p.pid === enginePid);
    const own = descendants(all, process.pid);
    let memory: number | null = null;
    if (withMemory && engine.length > 0) {
      const began = performance.now();
      const pss = await Promise.all(engine.map((p) => readPssBytes(p.pid)));
      pssIsCheap = performance.now() - began < PSS_BUDGET_MS;
      memory = engine.reduce((sum, p, i) => sum + (pss[i] ?? p.rssBytes), 0);
    } else if (engine.length > 0 && !pssIsCheap) {
      memory = engine.reduce((sum, p) => sum + p.rssBytes, 0);
    }
    taken.push({
      atMs,
      engineCpuMs: engine.length === 0 ? null : engine.reduce((sum, p) => sum + p.cpuMs + p.reapedChildrenCpuMs, 0),
      engineMemoryBytes: memory,
      ownCpuMs: own.length === 0 ? null : own.reduce((sum, p) => sum + p.cpuMs + p.reapedChildrenCpuMs, 0),
      host,
      load1: process.platform === 'win32' ? null : (loadavg()[0] ?? null),
    });
  };

  const tick = (): void => {
    inProgress ??= sample(pssIsCheap && taken.length % 4 === 0).finally(() => {
      inProgress = null;
    });
  };
  tick();
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return {
    samples: () => taken,
    stop: async () => {
      clearInterval(timer);
      await inProgress;
      await sample(true);
      return taken;
    },
  };
}
