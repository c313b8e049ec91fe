import pg from 'pg';
import { databaseUrl } from '../env';
import { log } from '../log';
import { sweepLeases } from '../services/leases';
import { dropExpired, shrinkStreams } from '../services/retention';

/** Jobs run in one process of all that share the database: the one that holds this advisory lock. */
const JOBS_LOCK = 519_203_311;
const TICK_MS = 1_000;
const LONGEST_TICK_MS = 10_000;

interface Job {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

const JOBS: readonly Job[] = [
  { name: 'lease sweep', everyMs: 1_000, run: sweepLeases },
  { name: 'shorten streams', everyMs: 15_000, run: () => shrinkStreams() },
  { name: 'retention', everyMs: 3_600_000, run: dropExpired },
];

interface Runner {
  /** Settles when the running job has ended and the lock is free. */
  stop(): Promise<void>;
}

/** Starts the jobs of this process; they rest while another process has the lock or the database is away. */
export function startJobs(jobs: readonly Job[] = JOBS): Runner {
  const lastRun = new Map<string, number>();
  let stopped = false;
  let lock: pg.Client | null = null;
  let tickMs = TICK_MS;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();

  const tick = async (): Promise<void> => {
    try {
      lock ??= await takeLock(() => {
        lock = null;
      });
      tickMs = TICK_MS;
      for (const job of lock ? jobs : []) if (!stopped) await runDue(job, lastRun);
    } catch (error) {
      tickMs = Math.min(LONGEST_TICK_MS, tickMs * 2);
      log.warn({ err: error }, 'jobs rest: the database does not answer');
    }
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = tick();
    }, tickMs);
    timer.unref();
  };
  running = tick();
  return {
    stop: async () => {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
      await lock?.end().catch(() => {});
    },
  };
}

async function runDue(job: Job, lastRun: Map<string, number>): Promise<void> {
  if (performance.now() - (lastRun.get(job.name) ?? Number.NEGATIVE_INFINITY) < job.everyMs) return;
  lastRun.set(job.name, performance.now());
  try {
    await job.run();
  } catch (error) {
    log.error({ err: error, job: job.name }, 'a job failed');
  }
}

/** A connection that holds the lock for its life, or null where another process has it. */
async function takeLock(onLost: () => void): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: databaseUrl(), keepAlive: true, connectionTimeoutMillis: 5_000 });
  client.on('error', onLost);
  client.on('end', onLost);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [JOBS_LOCK]);
  if (rows[0]?.held) return client;
  await client.end();
  return null;
}
