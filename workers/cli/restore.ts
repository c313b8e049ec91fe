import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { restore as readDump } from '@/server/db/dump';
import { migrate } from '@/server/db/migrate';
import { AppError } from '@/server/errors';
import { ROOT } from '@/server/start/paths.mjs';
import { withDatabase } from '@/server/start/with-database';
import { ExitError, printJson, type Verb } from './verb';

export const restore: Verb = {
  name: 'restore',
  summary: 'reads a dump into a new, empty database',
  describe(command) {
    command
      .argument('<file>', 'a file that `backup` wrote')
      .option('--json', 'print one JSON document')
      .action(async (file: string, options: { json?: boolean }) => {
        const path = resolve(file);
        if (!existsSync(path)) throw new ExitError(2, `${path} does not exist.`);
        const { rows } = await withDatabase(async (url) => {
          await migrate({ url, dir: join(ROOT, 'prisma', 'migrations') });
          return readDump(url, path);
        }).catch((error: unknown) => {
          throw error instanceof AppError ? new ExitError(error.code === 'conflict' ? 1 : 2, error.message) : error;
        });
        if (options.json) printJson({ file: path, rows });
        else process.stderr.write(`Restored ${rows} rows from ${path}\n`);
      });
  },
};
