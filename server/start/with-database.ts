import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster } from './cluster.mjs';
import { holder } from './lock.mjs';
import { folders } from './paths.mjs';

/**
 * Runs `work` with the URL of this folder's database: DATABASE_URL, else the one of the running server, else the
 * embedded one, started for the while.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL);
  const { data } = folders('start');
  const running = holder(join(data, 'database.lock'));
  if (running) return work(running.url);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const cluster = await openCluster(data);
  await cluster.start();
  try {
    return await work(cluster.url);
  } finally {
    await cluster.stop();
  }
}
