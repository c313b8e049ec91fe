import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectRoot } from '../embedded/project-root';

interface Entry {
  file: string;
  execArgv: string[];
  env: Record<string, string>;
}

/** How a process of ours is started: its bundle beside this one's, or in development its source through tsx. */
function entryOf(bundle: string, source: string): Entry {
  const here = fileURLToPath(import.meta.url);
  const folder = path.dirname(here);
  if (!here.endsWith('.ts')) return { file: path.join(folder, bundle), execArgv: [], env: {} };
  const tsx = pathToFileURL(createRequire(here).resolve('tsx')).href;
  const env = { TSX_TSCONFIG_PATH: path.join(projectRoot(here), 'tsconfig.json') };
  return { file: path.join(folder, source), execArgv: ['--import', tsx], env };
}

export const generatorEntry = (): Entry => entryOf('load.mjs', 'main.ts');
export const simulatorEntry = (): Entry => entryOf('simulator.mjs', '../simulator/main.ts');
