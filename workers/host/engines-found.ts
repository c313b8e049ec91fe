import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findOnPath } from '../drivers/process';
import { projectRoot } from '../embedded/project-root';

const VERSION_TIMEOUT_MS = 15_000;
const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'mac' };

const buildSchema = z.object({ buildOptions: z.object({ llamaCpp: z.object({ release: z.string() }) }) });

/** Release of llama.cpp inside the installed node-llama-cpp binaries, e.g. `v0.4.0`; null where none fits this host. */
async function embeddedVersion(): Promise<string | null> {
  const packages = path.join(projectRoot(), 'node_modules', '@node-llama-cpp');
  const wanted = `${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  for (const name of await readdir(packages).catch(() => [])) {
    if (!name.startsWith(wanted)) continue;
    const bins = path.join(packages, name, 'bins');
    for (const build of await readdir(bins).catch(() => [])) {
      const text = await readFile(path.join(bins, build, '_nlcBuildMetadata.json'), 'utf8').catch(() => null);
      const parsed = text === null ? null : buildSchema.safeParse(JSON.parse(text));
      if (parsed?.success) return parsed.data.buildOptions.llamaCpp.release;
    }
  }
  return null;
}

/** `version: 10573 (d775b89)` as `b10573`; llama-server writes it to stderr. */
export function parseLlamaServerVersion(text: string): string | null {
  const build = /version:\s*(\d+)/.exec(text)?.[1];
  return build === undefined ? null : `b${build}`;
}

async function llamaServerVersion(pathVariable: string | undefined): Promise<string | null> {
  const program = await findOnPath('llama-server', pathVariable);
  if (program === null) return null;
  const said = await promisify(execFile)(program, ['--version'], { timeout: VERSION_TIMEOUT_MS }).catch(() => null);
  return said === null ? null : parseLlamaServerVersion(said.stdout + said.stderr);
}

/** Engines that this host can run: engine → runtime → version. */
export async function findEngines(pathVariable: string | undefined): Promise<Record<string, Record<string, string>>> {
  const [embedded, server] = await Promise.all([embeddedVersion(), llamaServerVersion(pathVariable)]);
  const llamaCpp: Record<string, string> = {};
  if (embedded !== null) llamaCpp.embedded = embedded;
  if (server !== null) llamaCpp['llama-server'] = server;
  return Object.keys(llamaCpp).length === 0 ? {} : { 'llama.cpp': llamaCpp };
}
