import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { buildReport } from '@/server/core/run/build-report';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { Report } from '@/server/core/run/report';
import type { ReportTrial } from '@/server/core/run/report-trial';
import { cleanUpOnExit } from '../agent/cleanup';
import { diskShortage } from '../agent/disk-shortage';
import { runExperiment } from '../agent/run-experiment';
import { createBlockTools } from '../agent/tools';
import { createDriverEnvironment } from '../drivers/environment';
import { createDrivers } from '../drivers/index';
import { killLeftovers } from '../drivers/owned-processes';
import { createSecretSource } from '../drivers/secrets';
import { freeDiskBytes } from '../host/disk';
import { describeHost } from '../host/hardware';
import { clock, progressLine } from './run-progress';
import { ExitError } from './verb';

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Folder for checkpoints made here and for the pids of engines. */
export const workFolder = (environment: NodeJS.ProcessEnv): string =>
  path.resolve(environment.INFERLOOM_DATA_DIR ?? '.data', 'worker');

/** Runs an experiment in this process; what happens is told on stderr. Ctrl-C stops the engine and reports what there is. */
export async function runLocally(spec: ExperimentSpec, maxMs: number | null): Promise<Report> {
  const workDir = workFolder(process.env);
  await mkdir(workDir, { recursive: true });
  const shortage = diskShortage(await freeDiskBytes(workDir), workDir);
  if (shortage !== null) throw new ExitError(1, shortage);
  const secrets = createSecretSource({}, process.env);
  const environment = createDriverEnvironment(workDir, secrets, process.env);
  await killLeftovers(environment.ownedFolder);
  const stop = new AbortController();
  const forgetHandlers = cleanUpOnExit(stop);
  const host = await describeHost(process.env);
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const total = spec.blocks * spec.arms.length;
  const done = (trials: number): string => `${clock(performance.now() - began)} ${trials}/${total}`;
  let ended = 0;
  say(`${spec.arms.length} deployments × ${spec.blocks} blocks on ${host.cpuModel}, ${host.cores} cores`);
  try {
    const run = await runExperiment({
      spec,
      drivers: createDrivers(environment),
      tools: createBlockTools(workDir),
      signal: stop.signal,
      maxMs,
      onTrialEnd: (trial: ReportTrial) => {
        ended++;
        say(`${done(ended)} ${progressLine(spec, trial)}`);
      },
      onBlockAgain: (block, reason) => {
        ended = block * spec.arms.length;
        say(`block ${block + 1} is run again: ${reason}`);
      },
    });
    return buildReport(spec, run.trials, { startedAt, host, notes: run.notes });
  } finally {
    forgetHandlers();
  }
}
