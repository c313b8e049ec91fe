import { fileURLToPath } from 'node:url';

/** How to start a process of ours: its bundle beside this one's, or its source through tsx while there is none. */
export function processEntry(bundle: string, source: string): { file: string; execArgv: string[] } {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(fromSource ? source : `./${bundle}`, import.meta.url));
  return { file, execArgv: fromSource ? ['--import', 'tsx'] : [] };
}
