import { join } from 'node:path';
import pg from 'pg';
import { seedDemo } from '@/prisma/seeds/demo';
import { closeDb } from '../db/client';
import { countMigrations, migrate } from '../db/migrate';
import { databaseUrl, EnvError } from '../env';
import { createOwnerLink, ensureTeam } from '../services/owner-link';
import { ensureEmbeddedWorkerToken } from '../services/tokens';
import { databaseFault, serverFault } from './database-fault';
import { ROOT } from './paths.mjs';
import { PlainError, runPlainly } from './say.mjs';

/** Run by the launcher as a process of its own before the web server. Prints one JSON line on stdout. */
const dir = join(ROOT, 'prisma', 'migrations');
const log = (line: string) => process.stderr.write(`${line}\n`);

const VERBS: Record<string, (url: string) => Promise<unknown>> = {
  pending: (url) => countMigrations({ url, dir }),
  migrate: async (url) => {
    await checkServer(url);
    await migrate({ url, dir, log });
    const team = await ensureTeam();
    await seedDemo(team.id);
    const link = await createOwnerLink();
    return { ownerPath: link?.path ?? null, workerToken: await ensureEmbeddedWorkerToken(team.id) };
  },
};

async function checkServer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ versionNumber: number; version: string; encoding: string }>(
      `select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
              pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
    );
    const fault = rows[0] && serverFault(rows[0]);
    if (fault) throw new PlainError(fault);
  } finally {
    await client.end();
  }
}

await runPlainly(async () => {
  const work = VERBS[process.argv[2] ?? ''];
  if (!work) throw new PlainError(`prepare knows ${Object.keys(VERBS).join(', ')}.`);
  try {
    process.stdout.write(`${JSON.stringify(await work(databaseUrl()))}\n`);
  } catch (error) {
    const fault = error instanceof EnvError ? error.message : databaseFault(error);
    throw fault ? new PlainError(fault) : error;
  } finally {
    await closeDb();
  }
  return 0;
});
