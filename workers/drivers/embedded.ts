import path from 'node:path';
import type { Plan } from '@/server/core/plan/plan';
import { prepareCheckpoints } from '../embedded/checkpoints';
import { startEmbeddedEngine } from '../embedded/launch';
import type { Driver, RunningEngine } from './driver';
import type { DriverEnvironment } from './environment';
import { launchArgv } from './launch-argv';
import { LaunchError } from './launch-error';
import { forgetProcess, recordProcess } from './owned-processes';
import { onlyComponent, planApiKey, refuseRawFlags } from './process';

/** Makes or finds the GGUF files of a plan; what goes wrong is a LaunchError that says so. */
export async function prepareGguf(
  plan: Plan,
  environment: DriverEnvironment,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const cacheDir = path.join(environment.workDir, 'checkpoints');
  try {
    return await prepareCheckpoints(plan.checkpoints, { cacheDir, log, signal });
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    throw new LaunchError('prepare-failed', message, { logTail: [], command: [] }, { cause: error });
  }
}

/** Words before the first flag name the program; the embedded engine is started by its own entry. */
const flagsOf = (argv: readonly string[]): string[] => {
  const first = argv.findIndex((word) => word.startsWith('-'));
  return first < 0 ? [] : argv.slice(first);
};

/** Real llama.cpp in a child process of this agent. */
export function createEmbeddedDriver(environment: DriverEnvironment): Driver {
  return {
    id: 'embedded',
    stamp: 'MEASURED',
    supports: (c) => c.engine === 'llama.cpp' && c.runtime === 'embedded' && c.endpoint === null,
    prepare: (plan, log, signal) => prepareGguf(plan, environment, log, signal),
    start: (plan, files, log, signal) => start(plan, environment, files, log, signal),
  };
}

async function start(
  plan: Plan,
  environment: DriverEnvironment,
  files: Record<string, string>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<RunningEngine> {
  const component = onlyComponent(plan);
  refuseRawFlags(component, environment);
  const engine = await startEmbeddedEngine({
    argv: flagsOf(launchArgv(component, files, environment.secrets)),
    settings: plan.settings,
    apiKey: planApiKey(plan, environment),
    cwd: environment.workDir,
    log: (line) => log(environment.redact(line)),
    signal,
    host: environment.host,
  });
  const { pid } = engine;
  if (pid === null) return engine;
  await recordProcess(environment.ownedFolder, pid, 'inferloom-engine');
  return {
    ...engine,
    logTail: () => engine.logTail().map(environment.redact),
    stop: async () => {
      await engine.stop();
      await forgetProcess(environment.ownedFolder, pid);
    },
  };
}
