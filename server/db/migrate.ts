import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export interface MigrateOptions {
  url: string;
  /** Folder of the migrations: `prisma/migrations`. */
  dir: string;
  log?: (line: string) => void;
}

/** A database that must not be touched, with a sentence for the person at the terminal. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}
interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The advisory lock of Prisma's own command line, so that the two never migrate at once. */
const PRISMA_LOCK = 72_707_369;
const LOCK_WAIT_MS = 60_000;

/** The bookkeeping table as Prisma makes it. */
const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** Migrations of a folder in the order of their names. */
export function readMigrations(dir: string): Migration[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** What is left to apply. Throws a MigrationError on an edited, unknown or half-applied migration. */
export function planMigrations(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = byName.get(row.migration_name);
    if (!row.finished_at) {
      throw new MigrationError(
        `Migration ${row.migration_name} began and never finished. Restore the copy of the database that was made before it.`,
      );
    }
    if (!migration) {
      throw new MigrationError(
        `The database was migrated by a newer Inferloom (${row.migration_name}). Start that version, or restore an older copy.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(`Migration ${row.migration_name} was changed after it had been applied here.`);
    }
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return known.filter((migration) => !done.has(migration.name));
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  const exists = await client.query(`SELECT to_regclass('"_prisma_migrations"') AS "table"`);
  if (exists.rows[0]?.table === null) return [];
  const { rows } = await client.query<Applied>(
    'SELECT "migration_name", "checksum", "finished_at" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL',
  );
  return rows;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** How many migrations wait, and how many the database has. Changes nothing. */
export async function countMigrations({ url, dir }: MigrateOptions): Promise<{ pending: number; applied: number }> {
  return withClient(url, async (client) => {
    const applied = await readApplied(client);
    return { pending: planMigrations(readMigrations(dir), applied).length, applied: applied.length };
  });
}

/**
 * Brings the database up to date: under Prisma's lock, each migration in one transaction with its bookkeeping row, so
 * that `prisma migrate deploy` then finds nothing to do. Returns the names that were applied.
 */
export async function migrate({ url, dir, log = () => {} }: MigrateOptions): Promise<string[]> {
  const known = readMigrations(dir);
  return withClient(url, async (client) => {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    await client.query(CREATE_TABLE);
    const pending = planMigrations(known, await readApplied(client));
    for (const migration of pending) {
      await apply(client, migration);
      log(`applied ${migration.name}`);
    }
    return pending.map((migration) => migration.name);
  });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${migration.name} failed and was rolled back: ${reason}`);
  }
}
