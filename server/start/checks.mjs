import { statfsSync } from 'node:fs';
import net from 'node:net';
import { PlainError } from './say.mjs';

const MIN_NODE = [20, 19];

/** Refuses, in a sentence, a Node or a platform that the project does not run on. */
export function checkHost({ version = process.versions.node, platform = process.platform, arch = process.arch } = {}) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]))
    throw new PlainError(
      `Node ${version} is too old: Node ${MIN_NODE.join('.')} or later is needed (20, 22 and 24 are tried).`,
    );
  if (platform === 'win32')
    throw new PlainError('Windows is supported through WSL2: start Inferloom inside a WSL2 shell.');
  if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch))
    throw new PlainError(`${platform} on ${arch} is not supported: Linux and macOS on x64 or arm64 are.`);
}

/** Throws a sentence if nothing can listen on host:port; gives the port. Port 0 is any free port. */
export function checkPort(host, port) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PlainError(
              `Port ${port} on ${host} is busy. Stop what listens there or choose another: PORT=3100 npm start.`,
            )
          : new PlainError(`Cannot listen on ${host}:${port} (${error.code}).`),
      ),
    );
    probe.listen(port, host, () => {
      const taken = probe.address().port;
      probe.close(() => resolve(taken));
    });
  });
}

/** Refuses to start with under 200 MB free where `dir` lives. */
export function checkDisk(dir) {
  const { bavail, bsize } = statfsSync(dir);
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  if (freeMb < 200)
    throw new PlainError(`The disk that holds ${dir} has ${freeMb} MB free; at least 200 MB are needed.`);
}

const protocolOf = (url) => (URL.canParse(url) ? new URL(url).protocol : null);

/** HOST and PORT to listen on, from the environment; empty means unset. HOST other than loopback wants APP_URL. */
export function readAddress(env) {
  const host = env.HOST || '127.0.0.1';
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PlainError(`PORT=${env.PORT} is no port: a whole number from 0 to 65535 is wanted.`);
  if (env.APP_URL && !['http:', 'https:'].includes(protocolOf(env.APP_URL)))
    throw new PlainError(`APP_URL=${env.APP_URL} is no web address, like https://loom.example.com.`);
  const loopback = ['127.0.0.1', 'localhost', '::1'].includes(host);
  if (!loopback && !env.APP_URL)
    throw new PlainError(`HOST=${host} opens the server to the network: set APP_URL to its public address as well.`);
  return { host, port };
}

const inUrl = (host) => (host.includes(':') ? `[${host}]` : host);
const LOOPBACK_OF = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Addresses of a server on host:port: `local` for this machine's own processes, `base` for people. */
export function addressesOf(host, port, appUrl) {
  const local = `http://${inUrl(LOOPBACK_OF[host] ?? host)}:${port}`;
  const base = appUrl
    ? appUrl.replace(/\/+$/, '')
    : `http://${host === '127.0.0.1' ? 'localhost' : inUrl(host)}:${port}`;
  return { local, base };
}

/** Refuses a DATABASE_URL that is no address of a PostgreSQL at all. */
export function checkDatabaseUrl(url) {
  if (url && !['postgres:', 'postgresql:'].includes(protocolOf(url)))
    throw new PlainError(
      'DATABASE_URL is no address of a PostgreSQL; postgresql://user:password@host:5432/name is wanted.',
    );
}
