import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { checkDisk, checkHost, checkHostSetting, checkPort } from './checks.mjs';
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
 * cluster is copied.
 */
async function openDatabase({ data, build }) {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} };
  const { copyCluster, openCluster } = await import('./cluster.mjs');
  const cluster = await openCluster(data);
  let child = await cluster.start();
  const { pending, applied } = await prepare('pending', { build, env: { DATABASE_URL: cluster.url } });
  if (pending > 0 && applied > 0) {
    say(`Copying the database before ${pending} migration${pending > 1 ? 's' : ''} …`);
    await cluster.stop();
    copyCluster(cluster.dir, new Date().toISOString().replaceAll(':', '-'));
    child = await cluster.start();
  }
  const database = superviseDatabase(cluster, child);
  const address = takeLock(path.join(data, 'database.lock'), { url: cluster.url });
  if (address.release) process.once('exit', address.release);
  return { url: cluster.url, stop: database.stop };
}

/** Waits until the web process says that it is ready. */
async function untilReady(base, child) {
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  for (let i = 0; i < 600 && !exited; i++) {
    const ok = await fetch(`${base}/readyz`).then(
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

/** `npm start` and `npm run dev`: everything from a fresh clone to a served page. Resolves with the exit code. */
export async function launch(mode) {
  const began = performance.now();
  checkHost();
  checkHostSetting(process.env);
  const { data, build, dist } = folders(mode);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  checkDisk(data);
  const host = process.env.HOST ?? '127.0.0.1';
  const port = Number(process.env.PORT ?? 3000);
  const base = process.env.APP_URL ?? `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`;
  const lock = takeLock(path.join(data, 'launcher.lock'), { base });
  if (lock.heldBy)
    throw new PlainError(`Inferloom already runs from ${data} (pid ${lock.heldBy.pid}, ${lock.heldBy.base}).`);
  process.once('exit', lock.release);
  await checkPort(host, port);
  await ensureInstalled();
  await ensureBuilt({ build, dist }, { pages: mode === 'start' });

  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
  });
  const database = await openDatabase({ data, build });
  const supervisor = createSupervisor();
  try {
    const env = {
      DATABASE_URL: database.url,
      INFERLOOM_DATA_DIR: data,
      INFERLOOM_BUILD_DIR: build,
      INFERLOOM_DIST_DIR: dist,
      HOST: host,
      PORT: String(port),
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
    };
    const prepared = await prepare('migrate', { build, env });
    startProcesses(supervisor, { mode, build, env, host, port, prepared });
    await untilReady(`http://${host}:${port}`, supervisor.web);
    announce(base, prepared, (performance.now() - began) / 1000);
    return await stopped;
  } finally {
    await supervisor.stop(['worker', 'web']);
    await database.stop();
  }
}

function startProcesses(supervisor, { mode, build, env, host, port, prepared }) {
  const tsx = at('node_modules/tsx/dist/cli.mjs');
  const web = mode === 'dev' ? [tsx, at('server/start/web.ts')] : ['--enable-source-maps', path.join(build, 'web.mjs')];
  supervisor.web = supervisor.start('web', process.execPath, web, env);
  if (process.env.INFERLOOM_NO_WORKER === '1') return;
  const verb = ['worker', '--server', `http://${host}:${port}`, '--name', 'embedded'];
  const worker =
    mode === 'dev'
      ? [tsx, 'watch', '--clear-screen=false', at('workers/cli/main.ts'), ...verb]
      : ['--enable-source-maps', path.join(build, 'cli.mjs'), ...verb];
  const { DATABASE_URL: _, ...rest } = env;
  supervisor.start('worker', process.execPath, worker, {
    ...rest,
    DATABASE_URL: '',
    INFERLOOM_WORKER_TOKEN: prepared.workerToken,
  });
}
