import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { addressesOf, checkDatabaseUrl, checkDisk, checkHost, checkPort, readAddress } from './checks.mjs';
import { END_GROUP } from './guard.mjs';
import { ensureInstalled } from './install.mjs';
import { takeLock } from './lock.mjs';
import { at, folders } from './paths.mjs';
import { node } from './run.mjs';
import { PlainError, say } from './say.mjs';
import { createSupervisor, superviseDatabase } from './supervise.mjs';

/** Runs `prepare` (bundled, or from source in development) and parses the JSON that it prints. */
async function prepare(verb, { build, env }) {
  const output = await node(path.join(build, 'prepare.mjs'), [verb], { env, what: 'Preparing the database' });
  return JSON.parse(output.trim().split('\n').at(-1));
}

/**
 * The database: DATABASE_URL where it is set, else the embedded one. Before a migration of existing data the stopped
 * cluster is copied. `stop` may come at any time.
 */
function createDatabase({ data, build }) {
  if (process.env.DATABASE_URL) return { open: async () => process.env.DATABASE_URL, stop: async () => {} };
  let cluster = null;
  let supervised = null;
  let closing = false;

  async function open() {
    const { copyCluster, openCluster } = await import('./cluster.mjs');
    cluster = await openCluster(data);
    let child = await cluster.start();
    const { pending, applied } = await prepare('pending', { build, env: { DATABASE_URL: cluster.url } });
    if (pending > 0 && applied > 0 && !closing) {
      await cluster.stop();
      const copy = copyCluster(cluster.dir, new Date().toISOString().replaceAll(':', '-'));
      say(`Copied the database to ${copy} before ${pending} migration${pending > 1 ? 's' : ''}`);
      if (!closing) child = await cluster.start();
    }
    if (closing) return cluster.url;
    supervised = superviseDatabase(cluster, child);
    const address = takeLock(path.join(data, 'database.lock'), { url: cluster.url });
    if (address.release) process.once('exit', address.release);
    return cluster.url;
  }
  const stop = async () => {
    closing = true;
    await (supervised ?? cluster)?.stop();
  };
  return { open, stop };
}

/** Waits until the web process says that it is ready. */
async function untilReady(local, child) {
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  for (let i = 0; i < 600 && !exited; i++) {
    const ok = await fetch(`${local}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new PlainError('The web server did not become ready; its output is above.');
}

/** What the person at the terminal needs: the address, and until an owner exists the link that makes one. */
function announce(base, prepared, seconds) {
  say(`\nInferloom is ready after ${seconds.toFixed(1)} s: ${base}`);
  if (prepared.ownerPath)
    say(`Open this link once, within 24 hours, to become its owner:\n\n  ${base}${prepared.ownerPath}\n`);
}

/** Resolves with 0 on a signal to end, or when the npm that started us is gone. */
function untilToldToEnd() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
    if (!process.env.npm_lifecycle_event) return;
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve(0), 1000).unref();
  });
}

/** `npm start` and `npm run dev`: everything from a fresh clone to a served page. Resolves with the exit code. */
export async function launch(mode) {
  const began = performance.now();
  checkHost();
  checkDatabaseUrl(process.env.DATABASE_URL);
  const asked = readAddress(process.env);
  const { data, build, dist } = folders(mode);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  checkDisk(data);
  const lock = takeLock(path.join(data, 'launcher.lock'), {
    base: addressesOf(asked.host, asked.port, process.env.APP_URL).base,
  });
  if (lock.heldBy)
    throw new PlainError(`Inferloom already runs from ${data} (pid ${lock.heldBy.pid}, ${lock.heldBy.base}).`);
  process.once('exit', lock.release);
  const port = await checkPort(asked.host, asked.port);
  await ensureInstalled();
  await ensureBuilt({ build, dist }, { pages: mode === 'start' });

  const told = untilToldToEnd();
  const database = createDatabase({ data, build });
  const supervisor = createSupervisor();
  try {
    const place = { mode, data, build, dist, host: asked.host, port };
    return await Promise.race([told, serve(place, database, supervisor, began).then(() => told)]);
  } finally {
    await supervisor.stop(['worker', 'web']);
    await database.stop();
  }
}

/** Database, web server, worker, in this order; resolves when the page can be opened. */
async function serve({ mode, data, build, dist, host, port }, database, supervisor, began) {
  const { local, base } = addressesOf(host, port, process.env.APP_URL);
  const env = {
    DATABASE_URL: await database.open(),
    INFERLOOM_DATA_DIR: data,
    INFERLOOM_BUILD_DIR: build,
    INFERLOOM_DIST_DIR: dist,
    HOST: host,
    PORT: String(port),
    NODE_ENV: mode === 'dev' ? 'development' : 'production',
  };
  const prepared = await prepare('migrate', { build, env });
  await untilReady(local, startWeb(supervisor, { mode, build, env }));
  startWorker(supervisor, { mode, build, env, local, token: prepared.workerToken });
  announce(base, prepared, (performance.now() - began) / 1000);
}

const tsx = at('node_modules/tsx/dist/cli.mjs');

function startWeb(supervisor, { mode, build, env }) {
  const web = mode === 'dev' ? [tsx, at('server/start/web.ts')] : ['--enable-source-maps', path.join(build, 'web.mjs')];
  return supervisor.start('web', process.execPath, web, env);
}

function startWorker(supervisor, { mode, build, env, local, token }) {
  if (['1', 'true'].includes(process.env.INFERLOOM_NO_WORKER)) return;
  const verb = ['worker', '--server', local, '--name', 'embedded'];
  // The worker has no way to the database but the server's API.
  const own = { ...env, DATABASE_URL: '', INFERLOOM_WORKER_TOKEN: token };
  if (mode === 'dev') return startWatched(supervisor, verb, own);
  supervisor.start('worker', process.execPath, ['--enable-source-maps', path.join(build, 'cli.mjs'), ...verb], own);
}

/** `tsx watch` does not look at its stdin: the guard ends it, and what it started, with this process. */
function startWatched(supervisor, verb, env) {
  const watched = [tsx, 'watch', '--clear-screen=false', at('workers/cli/main.ts'), ...verb];
  const guarded = ['-c', END_GROUP, 'guard', process.execPath, ...watched];
  supervisor.start('worker', 'sh', guarded, { ...env, INFERLOOM_PARENT_PIPE: '' });
}
