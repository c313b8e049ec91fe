import { closeDb } from '@/server/db/client';
import { createOwnerLink } from '@/server/services/owner-link';
import { withDatabase } from '@/server/start/with-database';
import { ExitError, printJson, type Verb } from './verb';

export const ownerLink: Verb = {
  name: 'owner-link',
  summary: 'prints a new one-time link that makes the owner; earlier ones end',
  describe(command) {
    command
      .option(
        '--url <address>',
        'address of the server',
        process.env.APP_URL ?? `http://localhost:${process.env.PORT ?? 3000}`,
      )
      .option('--json', 'print one JSON document')
      .action(async (options: { url: string; json?: boolean }) => {
        const link = await withDatabase(async (url) => {
          process.env.DATABASE_URL = url;
          try {
            return await createOwnerLink();
          } finally {
            await closeDb();
          }
        });
        if (!link) throw new ExitError(1, 'There is an owner already. Sign in, or ask the owner for an invitation.');
        const address = new URL(link.path, options.url).toString();
        if (options.json) printJson({ url: address, expiresAt: link.expiresAt.toISOString() });
        else process.stdout.write(`${address}\n`);
      });
  },
};
