import { mkdir } from 'node:fs/promises';
import { PROTOCOL_VERSION } from '@/server/core/run/protocol';
import type { Host } from '@/server/core/run/trial';
import type { Driver } from '../drivers/driver';
import { createDriverEnvironment, type DriverEnvironment } from '../drivers/environment';
import { killLeftovers } from '../drivers/owned-processes';
import { createSecretSource } from '../drivers/secrets';
import { freeDiskBytes } from '../host/disk';
import type { BlockTools } from './block-tools';
import { diskShortage } from './disk-shortage';
import { runAttempt } from './run-attempt';
import { sendLeft } from './send-left';
import { pause } from './sender';
import { type WorkerApi, WorkerApiError } from './worker-api';

const IDLE_MS = 2000;
/** Between looks at a full disk: often enough to be seen as online. */
const SHORTAGE_MS = 10_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

export interface AgentOptions {
  api: WorkerApi;
  serverUrl: string;
  name: string;
  version: string;
  workDir: string;
  host: Host;
  environment: Readonly<Record<string, string | undefined>>;
  createDrivers(environment: DriverEnvironment): Driver[];
  tools: BlockTools;
  signal: AbortSignal;
  say(message: string): void;
  idleMs?: number;
  shortageMs?: number;
  /** Free bytes of a folder's disk; tests have one of their own. */
  freeDiskBytes?(folder: string): Promise<number>;
  batchIntervalMs?: number;
  protocolVersion?: number;
}

/** Why an agent ended: it was told to, or it and the server don't understand or know each other. */
export type AgentEnd = { why: 'stopped' } | { why: 'protocol' | 'refused'; message: string };

/** Registers, sends what an earlier agent left, then claims and runs one block at a time until `signal` aborts. */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  await mkdir(options.workDir, { recursive: true });
  const noSecrets = createSecretSource({}, {});
  const { ownedFolder } = createDriverEnvironment(options.workDir, noSecrets, options.environment);
  for (const command of await killLeftovers(ownedFolder))
    options.say(`ended an engine that was left behind: ${command}`);
  let retryMs = FIRST_RETRY_MS;
  while (!options.signal.aborted) {
    try {
      await serve(options);
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (!(error instanceof WorkerApiError)) throw error;
      if (error.problem === 'protocol') return { why: 'protocol', message: error.message };
      if (error.problem === 'refused') return { why: 'refused', message: error.message };
      if (error.problem !== 'register') {
        options.say(`the server does not answer: ${error.message}`);
        await pause(error.retryAfterMs ?? retryMs * (0.5 + Math.random() / 2), options.signal);
        retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
      }
    }
  }
  return { why: 'stopped' };
}

const register = (options: AgentOptions, pausedBecause: string | null) =>
  options.api.register({
    protocolVersion: options.protocolVersion ?? PROTOCOL_VERSION,
    name: options.name,
    agentVersion: options.version,
    host: { ...options.host, pausedBecause },
  });

/** Returns once the disk has room for a trial. Until then the server is told why nothing is claimed. */
async function waitForRoom(options: AgentOptions): Promise<void> {
  const { workDir, signal } = options;
  const look = async () => diskShortage(await (options.freeDiskBytes ?? freeDiskBytes)(workDir), workDir);
  let shortage = await look();
  if (shortage === null) return;
  options.say(`claims nothing: ${shortage}`);
  while (shortage !== null && !signal.aborted) {
    await register(options, shortage);
    await pause(options.shortageMs ?? SHORTAGE_MS, signal);
    shortage = await look();
  }
  if (signal.aborted) return;
  await register(options, null);
  options.say('claims again: the disk has room');
}

/** From registration until a call fails or the agent is stopped. */
async function serve(options: AgentOptions): Promise<void> {
  const { api, signal } = options;
  const { workerId, heartbeatMs } = await register(options, null);
  options.say(`registered as ${options.name} (${workerId})`);
  await sendLeft(options);
  while (!signal.aborted) {
    await waitForRoom(options);
    if (signal.aborted) return;
    const claimedAtMs = performance.now();
    const block = await api.claim({ workerId });
    if (block === null) {
      await pause(options.idleMs ?? IDLE_MS, signal);
      continue;
    }
    options.say(`block ${block.blockIndex + 1} of experiment ${block.experimentId}: ${block.trials.length} trials`);
    const secrets = createSecretSource(block.secrets, options.environment);
    const environment = createDriverEnvironment(options.workDir, secrets, options.environment);
    const { batchIntervalMs } = options;
    const end = await runAttempt({
      ...{ api, workerId, block, claimedAtMs, heartbeatMs, stop: signal },
      ...{ serverUrl: options.serverUrl, workDir: options.workDir, tools: options.tools, say: options.say },
      ...(batchIntervalMs === undefined ? {} : { batchIntervalMs }),
      drivers: options.createDrivers(environment),
    });
    options.say(`block ${block.blockIndex + 1}: ${end}`);
  }
}
