import { type ChildProcess, fork } from 'node:child_process';
import { type StampError, stampErrorOf } from '@/server/core/metrics/stamp-error';
import { type Load, workloadSchema } from '@/server/core/workload/workload';
import type { FromSimulator, ToSimulator } from '../simulator/main';
import type { WriteLogEntry } from '../simulator/write-log';
import { simulatorEntry } from './entry';
import type { LoadResult } from './load-types';
import { raisePriority, runLoad } from './run-load';

const TTFT_MS = 50;
const ITL_MS = 10;
const OUTPUT_TOKENS = 64;
const REQUEST_S = (TTFT_MS + OUTPUT_TOKENS * ITL_MS) / 1000;
const MOST_STREAMS = 512;

/** Streams that a load level keeps open, up to the next power of two: levels near each other share a calibration. */
export function streamsOf(load: Load): number {
  const streams = load.mode === 'closed' ? load.concurrency : load.ratePerS * REQUEST_S;
  return Math.min(MOST_STREAMS, 2 ** Math.ceil(Math.log2(Math.max(1, streams))));
}

interface SimulatorProcess {
  url: string;
  /** What it wrote and when; the process ends. */
  end(): Promise<WriteLogEntry[]>;
  kill(): void;
}

function startSimulatorProcess(concurrency: number): Promise<SimulatorProcess> {
  const entry = simulatorEntry();
  const env = { ...entry.env, PATH: process.env.PATH ?? '', NODE_ENV: process.env.NODE_ENV ?? 'production' };
  const child: ChildProcess = fork(entry.file, [], {
    execArgv: entry.execArgv,
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  raisePriority(child.pid);
  const send = (message: ToSimulator): void => void child.send(message);
  const kill = (): void => void child.kill('SIGKILL');
  return new Promise((resolve, reject) => {
    let gotLog: (log: WriteLogEntry[]) => void = () => {};
    child.on('message', (message: FromSimulator) => {
      if (message.kind === 'ready') send({ kind: 'start', ttftMs: TTFT_MS, itlMs: ITL_MS, concurrency });
      if (message.kind === 'log') gotLog(message.log);
      if (message.kind !== 'url') return;
      const end = (): Promise<WriteLogEntry[]> =>
        new Promise((done) => {
          gotLog = done;
          send({ kind: 'end' });
        }).then((log) => {
          child.disconnect();
          return log as WriteLogEntry[];
        });
      resolve({ url: message.url, end, kill });
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the simulator ended early (${signal ?? code})`)));
  });
}

/** Stamp minus write of every measured chunk, ms. */
function deviationsOf(result: LoadResult, log: readonly WriteLogEntry[]): number[] {
  const writes = new Map(log.map((entry) => [entry.requestId, entry.writesNs]));
  return result.records.flatMap((record) => {
    if (record.phase !== 'measure') return [];
    const written = writes.get(`1-0-0-measure-${record.index}`) ?? [];
    return record.chunkTimesMs.flatMap((atMs, i) => {
      const at = written[i];
      return at === undefined ? [] : [atMs - Number(at - result.zeroNs) / 1e6];
    });
  });
}

/** Measures the load client against the simulator's own write times for two seconds, at that many streams. */
export async function calibrate(streams: number, signal: AbortSignal): Promise<StampError | null> {
  const simulator = await startSimulatorProcess(streams);
  const load = { mode: 'closed' as const, concurrency: streams };
  const workload = workloadSchema.parse({
    ...{ id: 'calibration', nodeId: null, title: 'calibration', role: 'target', endpoint: 'completions' },
    ...{ inputTokens: 16, outputTokens: OUTPUT_TOKENS, loads: [load], warmupS: 0.5, windowS: 2 },
  });
  try {
    const result = await runLoad({
      ...{ url: simulator.url, model: 'simulator', apiKey: null, workload, load, loadIndex: 0, seed: 1, blockIndex: 0 },
      ...{ request: {}, maxRequests: null, onEngineHost: true, counters: null, signal },
    });
    return stampErrorOf(streams, deviationsOf(result, await simulator.end()));
  } finally {
    simulator.kill();
  }
}
