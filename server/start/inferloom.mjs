#!/usr/bin/env node
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { checkHost } from './checks.mjs';
import { ensureInstalled } from './install.mjs';
import { folders } from './paths.mjs';
import { runPlainly } from './say.mjs';

/** `npx inferloom VERB`: brings packages and bundles up to date, then runs the command line in this process. */
await runPlainly(async () => {
  checkHost();
  const { build, dist, data } = folders('start');
  await ensureInstalled();
  await ensureBuilt({ build, dist }, { pages: false });
  process.env.INFERLOOM_BUILD_DIR ??= build;
  process.env.INFERLOOM_DATA_DIR ??= data;
  await import(pathToFileURL(path.join(build, 'cli.mjs')).href);
  return process.exitCode ?? 0;
});
