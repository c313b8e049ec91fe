import { resolve } from 'node:path';
import { backup as dump } from '@/server/db/dump';
import { withDatabase } from '@/server/start/with-database';
import { printJson, type Verb } from './verb';

export const backup: Verb = {
  name: 'backup',
  summary: 'writes a logical dump of the whole database',
  describe(command) {
    command
      .argument('<file>', 'where to write it (gzip of JSON lines)')
      .option('--json', 'print one JSON document')
      .action(async (file: string, options: { json?: boolean }) => {
        const path = resolve(file);
        await withDatabase((url) => dump(url, path));
        if (options.json) printJson({ file: path });
        else process.stderr.write(`Wrote ${path}\n`);
      });
  },
};
