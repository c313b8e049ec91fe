import { join } from 'node:path';
import { seedDemo } from '@/prisma/seeds/demo';
import { closeDb } from '../db/client';
import { countMigrations, MigrationError, migrate } from '../db/migrate';
import { databaseUrl } from '../env';
import { createOwnerLink, ensureTeam } from '../services/owner-link';
import { ensureEmbeddedWorkerToken } from '../services/tokens';
import { ROOT } from './paths.mjs';
import { PlainError, runPlainly } from './say.mjs';

/** Run by the launcher as a process of its own before the web server. Prints one JSON line on stdout. */
const dir = join(ROOT, 'prisma', 'migrations');
const log = (line: string) => process.stderr.write(`${line}\n`);

const VERBS: Record<string, () => Promise<unknown>> = {
  pending: () => countMigrations({ url: databaseUrl(), dir }),
  migrate: async () => {
    await migrate({ url: databaseUrl(), dir, log });
    const team = await ensureTeam();
    await seedDemo(team.id);
    const link = await createOwnerLink();
    return { ownerPath: link?.path ?? null, workerToken: await ensureEmbeddedWorkerToken(team.id) };
  },
};

/** Errors of a database that cannot be reached or used, as a sentence. */
function asSentence(error: unknown): unknown {
  if (error instanceof MigrationError) return new PlainError(error.message);
  const code = (error as { code?: string }).code ?? '';
  const reason = error instanceof Error ? error.message : String(error);
  if (/^(ECONN|ENOTFOUND|EAI|ETIMEDOUT|28|3D|08|57)/.test(code) || /timeout|Connection terminated/.test(reason))
    return new PlainError(
      `The database of DATABASE_URL does not take us in (${code || reason}): ${reason}. Check the address, the database's name and the password.`,
    );
  return error;
}

await runPlainly(async () => {
  const work = VERBS[process.argv[2] ?? ''];
  if (!work) throw new PlainError(`prepare knows ${Object.keys(VERBS).join(', ')}.`);
  try {
    process.stdout.write(`${JSON.stringify(await work())}\n`);
  } catch (error) {
    throw asSentence(error);
  } finally {
    await closeDb();
  }
  return 0;
});
