import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countMigrations, migrate } from '@/server/db/migrate';
import { MIGRATIONS, openEmptyDatabase, type TestDatabase } from '@/test/support/database';

const root = new URL('../../..', import.meta.url).pathname;

describe('migrate', () => {
  let database: TestDatabase;
  let dir: string;

  beforeAll(async () => {
    database = await openEmptyDatabase();
    dir = mkdtempSync(join(tmpdir(), 'inferloom-migrations-'));
    cpSync(MIGRATIONS, dir, { recursive: true });
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(dir, { recursive: true, force: true });
  });

  const rows = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const result = await client.query(sql);
    await client.end();
    return result.rows;
  };
  const addMigration = (name: string, sql: string) => {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'migration.sql'), sql);
  };

  it('applies everything once, also when two processes start together', async () => {
    const before = await countMigrations({ url: database.url, dir });
    expect(before.applied).toBe(0);
    const [first, second] = await Promise.all([
      migrate({ url: database.url, dir }),
      migrate({ url: database.url, dir }),
    ]);
    expect([...first, ...second]).toHaveLength(before.pending);
    expect(await countMigrations({ url: database.url, dir })).toEqual({ pending: 0, applied: before.pending });
  });

  it('leaves nothing to do for the stock `prisma migrate deploy`', () => {
    const output = execFileSync(
      process.execPath,
      ['node_modules/prisma/build/index.js', 'migrate', 'deploy', '--config', 'prisma/prisma.config.ts'],
      {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          DATABASE_URL: database.url,
          PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'prisma/dev/schema-engine.mjs'),
          CHECKPOINT_DISABLE: '1',
          PRISMA_HIDE_UPDATE_MESSAGE: '1',
        },
      },
    );
    expect(output).toContain('No pending migrations to apply');
  });

  it('and the schema files describe exactly this database', () => {
    const output = execFileSync(
      process.execPath,
      [
        'node_modules/prisma/build/index.js',
        'migrate',
        'diff',
        '--config',
        'prisma/prisma.config.ts',
        '--from-config-datasource',
        '--to-schema',
        'prisma/models',
        '--script',
      ],
      {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          DATABASE_URL: database.url,
          PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'prisma/dev/schema-engine.mjs'),
          CHECKPOINT_DISABLE: '1',
        },
      },
    );
    expect(output).toContain('This is an empty migration');
  });

  it('rolls a failing migration back whole and names it', async () => {
    addMigration('20990101000000_broken', 'CREATE TABLE "half" ("id" int); SELECT 1/0;');
    await expect(migrate({ url: database.url, dir })).rejects.toThrow(
      /20990101000000_broken failed and was rolled back/,
    );
    expect(await rows(`SELECT to_regclass('half') AS t`)).toEqual([{ t: null }]);
    rmSync(join(dir, '20990101000000_broken'), { recursive: true });
    expect(await migrate({ url: database.url, dir })).toEqual([]);
  });

  it('refuses a migration that was edited after it had been applied', async () => {
    addMigration('20990102000000_extra', 'CREATE TABLE "extra" ("id" int);');
    expect(await migrate({ url: database.url, dir })).toEqual(['20990102000000_extra']);
    writeFileSync(join(dir, '20990102000000_extra', 'migration.sql'), 'CREATE TABLE "extra" ("id" bigint);');
    await expect(migrate({ url: database.url, dir })).rejects.toThrow(/20990102000000_extra was changed/);
  });

  it('refuses a database of a newer schema', async () => {
    rmSync(join(dir, '20990102000000_extra'), { recursive: true });
    await expect(migrate({ url: database.url, dir })).rejects.toThrow(/newer Inferloom/);
  });
});
