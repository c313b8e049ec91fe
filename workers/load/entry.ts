import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectRoot } from '../embedded/project-root';

/** How the generator's process is started: its bundle beside this one's, or in development its source through tsx. */
export function generatorEntry(): { file: string; execArgv: string[]; env: Record<string, string> } {
  const here = fileURLToPath(import.meta.url);
  const folder = path.dirname(here);
  if (!here.endsWith('.ts')) return { file: path.join(folder, 'load.mjs'), execArgv: [], env: {} };
  const tsx = pathToFileURL(createRequire(here).resolve('tsx')).href;
  const env = { TSX_TSCONFIG_PATH: path.join(projectRoot(here), 'tsconfig.json') };
  return { file: path.join(folder, 'main.ts'), execArgv: ['--import', tsx], env };
}
