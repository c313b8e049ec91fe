import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { closeDb } from '@/server/db/client';
import { migrate } from '@/server/db/migrate';
import { openCluster } from '@/server/start/cluster.mjs';

export const MIGRATIONS = new URL('../../prisma/migrations', import.meta.url).pathname;

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Read once: a test file's own database stands in DATABASE_URL later on. */
const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;

/** Where databases may be made: a server whose role may create them, or an embedded one of our own. */
async function openServer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  if (given) return { adminUrl: given, stop: async () => {} };
  const home = mkdtempSync(join(tmpdir(), 'inferloom-test-'));
  const cluster = await openCluster(home);
  await cluster.start();
  // Nothing of a test outlives its cluster: no need to wait for the disk.
  await runSql(cluster.adminUrl, 'ALTER SYSTEM SET fsync = off', 'SELECT pg_reload_conf()');
  return {
    adminUrl: cluster.adminUrl,
    stop: async () => {
      await cluster.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function withName(url: string, name: string): string {
  const renamed = new URL(url);
  renamed.pathname = `/${name}`;
  return renamed.toString();
}

export async function runSql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An empty database on a real PostgreSQL, for one test file. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const server = await openServer();
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await runSql(server.adminUrl, `CREATE DATABASE "${name}"`);
  const url = withName(server.adminUrl, name);
  return {
    url,
    drop: async () => {
      await runSql(server.adminUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await server.stop();
    },
  };
}

/** A migrated database of its own, set as this process's DATABASE_URL, with a data folder of its own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = await openEmptyDatabase();
  await migrate({ url: database.url, dir: MIGRATIONS });
  const before = { url: process.env.DATABASE_URL, data: process.env.INFERLOOM_DATA_DIR };
  const data = mkdtempSync(join(tmpdir(), 'inferloom-data-'));
  process.env.DATABASE_URL = database.url;
  process.env.INFERLOOM_DATA_DIR = data;
  return {
    url: database.url,
    drop: async () => {
      await closeDb();
      await database.drop();
      rmSync(data, { recursive: true, force: true });
      restore('DATABASE_URL', before.url);
      restore('INFERLOOM_DATA_DIR', before.data);
    },
  };
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
