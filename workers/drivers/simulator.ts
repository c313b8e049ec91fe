import { startSimulator } from '../simulator/simulator';
import type { Driver } from './driver';
import { unverifiedRows } from './endpoint';
import type { DriverEnvironment } from './environment';

/** Made-up timings behind the real API. All that is measured on it is stamped SIMULATED and stays out of measured views. */
export function createSimulatorDriver(_environment: DriverEnvironment): Driver {
  return {
    id: 'simulator',
    stamp: 'SIMULATED',
    supports: (c) => (c.engine === 'simulator' || c.runtime === 'simulator') && c.endpoint === null,
    prepare: async () => ({}),
    start: async (plan, _files, log, signal) => {
      signal.throwIfAborted();
      const began = performance.now();
      const simulator = await startSimulator({});
      log(`simulator listens on ${simulator.url}`);
      let end: (how: { code: number | null; signal: string | null }) => void = () => {};
      const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
        end = resolve;
      });
      return {
        url: simulator.url,
        model: 'simulator',
        apiKey: null,
        pid: null,
        startMs: performance.now() - began,
        command: ['inferloom', 'simulate'],
        logTail: () => [],
        readEffective: async () =>
          unverifiedRows(plan, null).map((row) => ({ ...row, evidence: 'a simulator applies no setting' })),
        resetCaches: async () => true,
        exited,
        stop: async () => {
          await simulator.stop();
          end({ code: 0, signal: null });
        },
      };
    },
  };
}
