import { waitForLock } from './lock.mjs';
import { at } from './paths.mjs';
import { node } from './run.mjs';
import { PlainError, say } from './say.mjs';
import { hashOf, unlessStamped } from './stamps.mjs';

/** Processes that run outside Next, each one bundled file: name in the build folder → source. */
export const BUNDLES = {
  cli: 'workers/cli/main.ts',
  engine: 'workers/embedded/main.ts',
  quantize: 'workers/embedded/quantize-main.ts',
  load: 'workers/load/main.ts',
  simulator: 'workers/simulator/main.ts',
  web: 'server/start/web.ts',
  prepare: 'server/start/prepare.ts',
};

/** Prisma's client from the schema. The schema engine is never started: any executable satisfies the CLI's check. */
export async function ensureGenerated() {
  const stamp = hashOf(['prisma/models', 'prisma/prisma.config.ts', 'package-lock.json']);
  await unlessStamped(at('server', 'db', 'generated', '.stamp'), stamp, () =>
    node(at('node_modules/prisma/build/index.js'), ['generate', '--config', 'prisma/prisma.config.ts'], {
      env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
      what: 'prisma generate',
    }),
  );
}

/** Bundles the processes outside Next with esbuild; packages stay outside, in node_modules. */
export async function ensureBundled(folder) {
  const stamp = hashOf(['server', 'workers', 'prisma', 'tsconfig.json', 'package-lock.json']);
  await unlessStamped(`${folder}/bundles.stamp`, stamp, async () => {
    const { build, stop } = await import('esbuild');
    await build({
      entryPoints: Object.fromEntries(Object.entries(BUNDLES).map(([name, source]) => [name, at(source)])),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      sourcemap: true,
      tsconfig: at('tsconfig.json'),
      logLevel: 'warning',
    });
    await stop();
  });
}

/** Next's production build into `dist`. */
async function ensureNextBuilt(dist) {
  const stamp = hashOf(['app', 'server', 'next.config.js', 'tsconfig.json', 'package.json', 'package-lock.json']);
  await unlessStamped(at(dist, 'inferloom.stamp'), stamp, async () => {
    say('Building the pages …');
    await node(at('node_modules/next/dist/bin/next'), ['build'], {
      env: { INFERLOOM_DIST_DIR: dist, NODE_ENV: 'production' },
      what: 'next build',
    });
  });
}

/** Brings generated code, bundles and (for a served app) the pages up to date with the sources. */
export async function ensureBuilt({ build, dist }, { pages }) {
  const lock = await waitForLock(at('.build', 'build.lock'), 600);
  if (!lock.release)
    throw new PlainError('Another build has been running for ten minutes; look at it and start again.');
  try {
    await ensureGenerated();
    await ensureBundled(build);
    if (pages) await ensureNextBuilt(dist);
  } finally {
    lock.release();
  }
}
