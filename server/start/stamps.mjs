import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './paths.mjs';

function* filesUnder(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name === 'generated') continue;
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* filesUnder(full);
    else if (entry.isFile()) yield full;
  }
}

/** SHA-256 over names and contents of files and folders (paths relative to the project). Missing ones count as absent. */
export function hashOf(paths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const relative of paths) {
    const full = at(relative);
    if (!existsSync(full)) continue;
    for (const file of statSync(full).isDirectory() ? filesUnder(full) : [full])
      hash
        .update(`${path.relative(at(), file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Runs `work` unless `file` already holds `stamp`; writes the stamp when the work succeeded. The old stamp goes first:
 * what an interrupted run left is never taken for whole. Returns whether it ran.
 */
export async function unlessStamped(file, stamp, work) {
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return false;
  rmSync(file, { force: true });
  await work();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, stamp);
  return true;
}
