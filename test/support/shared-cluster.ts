import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCluster } from '@/server/start/cluster.mjs';

/** Vitest's global setup of the service tests: one embedded PostgreSQL for all files, unless TEST_DATABASE_URL names one. */
export default async function sharedCluster(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const home = mkdtempSync(join(tmpdir(), 'inferloom-test-'));
  const cluster = await openCluster(home);
  await cluster.start();
  process.env.TEST_DATABASE_URL = cluster.adminUrl;
  return async () => {
    await cluster.stop();
    rmSync(home, { recursive: true, force: true });
  };
}
