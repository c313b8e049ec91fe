import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with this project's package.json, seen from the sources as well as from a bundle in `.build`. */
export function projectRoot(from: string = fileURLToPath(import.meta.url)): string {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).name === 'inferloom') return folder;
    if (folder === path.dirname(folder)) throw new Error(`no inferloom package.json above ${from}`);
  }
}
