import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import type { Component, Plan } from '@/server/core/plan/plan';
import type { EffectiveRow } from '@/server/core/run/trial';
import type { Driver, RunningEngine } from './driver';
import type { DriverEnvironment } from './environment';
import { freePort, waitUntilHealthy } from './health';
import { displayArgv, launchArgv, withoutFlags } from './launch-argv';
import { LaunchError } from './launch-error';
import { type ProcessGroup, spawnGroup } from './process-group';
import { refusedRawFlags } from './raw-flags';
import { engineEnvironment, secretReference } from './secrets';

const START_TIMEOUT_MS = 15 * 60_000;

/** What differs from one locally spawned engine to the next. */
export interface ProcessEngine {
  id: string;
  supports(component: Component): boolean;
  /** The only program that this driver starts; looked up on PATH. */
  program: string;
  healthPath: string;
  /** Flags that the driver sets itself, and how. */
  ownFlags: readonly string[];
  listenArgs(port: number): string[];
  /** How to run the host's own parser over argv without starting anything; null where the program has no way. */
  preflightArgs: ((args: readonly string[]) => string[]) | null;
  /** Name under which the engine serves the model. */
  modelName(plan: Plan, files: Readonly<Record<string, string>>): string;
  prepare: Driver['prepare'];
  readEffective(
    plan: Plan,
    running: { url: string; apiKey: string | null; log: readonly string[] },
  ): Promise<EffectiveRow[]>;
  resetCaches(plan: Plan, running: { url: string; apiKey: string | null }): Promise<boolean>;
}

/** Where a program lies on PATH; null where it doesn't. */
export async function findOnPath(program: string, pathVariable: string | undefined): Promise<string | null> {
  for (const folder of (pathVariable ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, program);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** The one component that a local driver can run. */
export function onlyComponent(plan: Plan): Component {
  const [component, ...others] = plan.components;
  if (component === undefined || others.length > 0) {
    throw new Error(`plan ${plan.deployment} has ${plan.components.length} components; a local process runs one`);
  }
  return component;
}

/** The value of the API key that a plan asks for; null where it asks for none. */
export function planApiKey(plan: Plan, environment: DriverEnvironment): string | null {
  const asked = plan.settings.apiKeySecret?.asked;
  if (typeof asked !== 'string' || asked === '') return null;
  const name = secretReference(asked) ?? asked;
  return environment.secrets.get(name) ?? null;
}

/** Throws where raw arguments ask for more than this host's owner allows. */
export function refuseRawFlags(component: Component, environment: DriverEnvironment): void {
  const refused = refusedRawFlags(component, environment.host);
  if (refused.length === 0) return;
  const command = displayArgv(component.argv, environment.redact);
  throw new LaunchError('engine-refused-arguments', `${refused.join('; ')}.`, { logTail: [], command });
}

/** Spawns an engine on this host, in a process group of its own, on a free port of the loopback interface. */
export function createProcessDriver(engine: ProcessEngine, environment: DriverEnvironment): Driver {
  return {
    id: engine.id,
    stamp: 'MEASURED',
    supports: engine.supports,
    prepare: engine.prepare,
    start: (plan, files, log, signal) => startEngine(engine, environment, plan, files, log, signal),
  };
}

async function startEngine(
  engine: ProcessEngine,
  environment: DriverEnvironment,
  plan: Plan,
  files: Record<string, string>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<RunningEngine> {
  const component = onlyComponent(plan);
  refuseRawFlags(component, environment);
  const program = await findOnPath(engine.program, environment.host.PATH);
  if (program === null) {
    throw new LaunchError('engine-not-found', `${engine.program} is not on this worker's PATH`, {
      logTail: [],
      command: component.argv,
    });
  }
  const port = await freePort();
  const planned = launchArgv(component, files, environment.secrets).slice(1);
  const args = [...withoutFlags(planned, engine.ownFlags), ...engine.listenArgs(port)];
  const command = displayArgv([program, ...args], environment.redact);
  const env = engineEnvironment(component.env, environment.secrets, environment.host);
  const began = performance.now();
  const full: string[] = [];
  const run = (words: readonly string[], onLine: (line: string) => void): Promise<ProcessGroup> =>
    spawnGroup({
      command: program,
      args: words,
      env,
      cwd: environment.workDir,
      ownedFolder: environment.ownedFolder,
      redact: environment.redact,
      onLine,
    });
  if (engine.preflightArgs !== null) await preflight(engine, await run(engine.preflightArgs(args), () => {}), command);
  signal.throwIfAborted();
  const group = await run(args, (line) => {
    // The engine writes its configuration while it starts; later lines matter only as the tail.
    if (full.length < 20_000) full.push(line);
    log(line);
  });
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(group, `${url}${engine.healthPath}`, command, signal);
  const apiKey = planApiKey(plan, environment);
  return {
    url,
    model: engine.modelName(plan, files),
    apiKey,
    pid: group.pid,
    startMs: performance.now() - began,
    command,
    logTail: group.logTail,
    readEffective: () => engine.readEffective(plan, { url, apiKey, log: full }),
    resetCaches: () => engine.resetCaches(plan, { url, apiKey }),
    exited: group.exited,
    stop: () => group.stop(),
  };
}

/** The host's own parser judges argv before anything is loaded. */
async function preflight(engine: ProcessEngine, group: ProcessGroup, command: readonly string[]): Promise<void> {
  const { code } = await group.exited;
  await group.stop();
  if (code === 0) return;
  const tail = group.logTail();
  const said = tail.findLast((line) => /error|invalid|unknown|unrecognized/i.test(line)) ?? tail.at(-1) ?? 'no message';
  throw new LaunchError('engine-refused-arguments', `${engine.program} on this worker refuses the arguments: ${said}`, {
    logTail: tail,
    command,
  });
}

async function untilHealthy(
  group: ProcessGroup,
  url: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const state = await waitUntilHealthy(url, group.exited, START_TIMEOUT_MS, signal);
    if (state === 'healthy') return;
    const end = state === 'exited' ? await group.exited : null;
    throw new LaunchError(
      end === null ? 'start-timeout' : 'engine-exited',
      end === null
        ? `the engine was not healthy after ${START_TIMEOUT_MS / 60_000} minutes`
        : `the engine ended while starting (${end.signal === null ? `code ${end.code}` : `signal ${end.signal}`})`,
      { logTail: group.logTail(), command },
    );
  } catch (error) {
    await group.stop();
    throw error;
  }
}
