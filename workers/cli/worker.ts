import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { runAgent } from '../agent/agent';
import { cleanUpOnExit } from '../agent/cleanup';
import { createBlockTools } from '../agent/tools';
import { createWorkerClient } from '../agent/worker-client';
import { createDrivers } from '../drivers/index';
import { describeHost } from '../host/hardware';
import { projectVersion } from '../host/project-version';
import { ExitError, type Verb } from './verb';

interface WorkerOptions {
  server: string;
  token?: string;
  name?: string;
  workDir?: string;
}

const say = (message: string): void => {
  process.stderr.write(`${new Date().toISOString()} worker: ${message}\n`);
};

/** A launcher that dies takes its end of our stdin (or of the IPC channel) along: then we leave in good order. */
function stopWithParent(stop: AbortController): void {
  const leave = (): void => stop.abort(new Error('the parent process is gone'));
  if (process.env.INFERLOOM_PARENT_PIPE) process.stdin.resume().once('close', leave);
  if (process.channel) process.once('disconnect', leave);
}

async function serve(options: WorkerOptions): Promise<void> {
  const token = options.token ?? process.env.INFERLOOM_WORKER_TOKEN;
  if (token === undefined || token === '')
    throw new ExitError(2, 'a worker token is needed: --token or INFERLOOM_WORKER_TOKEN');
  if (!URL.canParse(options.server)) throw new ExitError(2, `--server ${options.server} is not a URL`);
  const stop = new AbortController();
  cleanUpOnExit(stop);
  stopWithParent(stop);
  const name = options.name ?? os.hostname();
  const dataDir = process.env.INFERLOOM_DATA_DIR ?? '.data';
  const workDir = path.resolve(options.workDir ?? path.join(dataDir, 'worker'));
  const end = await runAgent({
    api: createWorkerClient(options.server, token),
    serverUrl: new URL(options.server).origin,
    name,
    version: projectVersion(),
    workDir,
    host: await describeHost(process.env),
    environment: process.env,
    createDrivers,
    tools: createBlockTools(workDir),
    signal: stop.signal,
    say,
  });
  if (end.why === 'stopped') {
    say('stopped');
    // A parent's open pipe would keep this process alive.
    process.exit(0);
  }
  process.stdin.pause();
  throw new ExitError(1, end.message);
}

export const worker: Verb = {
  name: 'worker',
  summary: 'runs an agent that works for a server',
  describe(command: Command) {
    command
      .requiredOption('--server <url>', 'address of the server')
      .option('--token <token>', 'worker token (better: INFERLOOM_WORKER_TOKEN)')
      .option('--name <name>', 'shown to the team (default: the host name)')
      .option('--work-dir <folder>', 'for checkpoints and events not sent yet (default: worker in the data folder)')
      .action(serve);
  },
};
