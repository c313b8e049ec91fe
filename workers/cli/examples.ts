import { join } from 'node:path';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import { projectRoot } from '../embedded/project-root';
import { printJson, type Verb } from './verb';

const pathOf = (file: string): string => join(projectRoot(), 'server', 'core', 'pipeline', 'examples', file);

export const examples: Verb = {
  name: 'examples',
  summary: 'lists the pipelines to start from, with their files',
  describe(command) {
    command.option('--json', 'print one JSON document').action((options: { json?: boolean }) => {
      const list = EXAMPLES.map(({ id, title, summary, why, expected, file }) => {
        return { id, title, summary, why, expected, path: pathOf(file) };
      });
      if (options.json) printJson(list);
      else process.stdout.write(`${list.map(({ id, title, path }) => `${id}\t${title}\t${path}`).join('\n')}\n`);
    });
  },
};
