import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabaseUrl } from './checks.mjs';
import { openCluster } from './cluster.mjs';
import { databaseFault } from './database-fault';
import { holder, takeLock } from './lock.mjs';
import { folders } from './paths.mjs';
import { PlainError } from './say.mjs';

/**
 * Runs `work` with the URL of this folder's database: DATABASE_URL, else the one of the running server, else the
 * embedded one, started for the while. Throws a PlainError for a database that cannot be reached.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  try {
    return await withAnyDatabase(work);
  } catch (error) {
    const fault = databaseFault(error);
    throw fault ? new PlainError(fault) : error;
  }
}

async function withAnyDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL) {
    checkDatabaseUrl(process.env.DATABASE_URL);
    return work(process.env.DATABASE_URL);
  }
  const { data } = folders('start');
  const running = holder(join(data, 'database.lock'));
  if (running) return work(running.url);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(data, 'launcher.lock'), { base: 'a command on its database' });
  if (!lock.release)
    throw new PlainError(
      `The database in ${data} is being started or used by process ${lock.heldBy?.pid}. Try again in a moment.`,
    );
  process.once('exit', lock.release);
  const cluster = await openCluster(data);
  try {
    await cluster.start();
    return await work(cluster.url);
  } finally {
    await cluster.stop();
    lock.release();
  }
}
