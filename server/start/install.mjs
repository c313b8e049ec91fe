import { existsSync } from 'node:fs';
import { holder, waitForLock } from './lock.mjs';
import { at, folders } from './paths.mjs';
import { run } from './run.mjs';
import { PlainError, say } from './say.mjs';
import { hashOf, unlessStamped } from './stamps.mjs';

const STAMP = at('node_modules', '.inferloom-installed');

/** Installs exactly what the lockfile says, once per lockfile and Node major; never under a live server. */
export async function ensureInstalled() {
  const stamp = hashOf(['package.json', 'package-lock.json'], process.versions.modules);
  const lock = await waitForLock(at('.build', 'install.lock'), 600);
  if (!lock.release)
    throw new PlainError('Another install has been running for ten minutes; look at it and start again.');
  try {
    await unlessStamped(STAMP, stamp, async () => {
      const live = holder(`${folders('start').data}/launcher.lock`);
      if (live && live.pid !== process.pid && existsSync(STAMP))
        throw new PlainError(
          `A server runs from this folder (pid ${live.pid}): stop it before new packages are installed.`,
        );
      say('Installing packages (once) …');
      await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { what: 'npm ci' });
    });
  } finally {
    lock.release();
  }
}
