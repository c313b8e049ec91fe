import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../embedded/project-root';

/** Version of this program, from its package.json. */
export function projectVersion(): string {
  const text = readFileSync(path.join(projectRoot(), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
