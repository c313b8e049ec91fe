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

/** Throws a sentence if nothing can listen on host:port. Port 0 is any free port. */
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
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Refuses to start with under 200 MB free where `dir` lives. */
export function checkDisk(dir) {
  const { bavail, bsize } = statfsSync(dir);
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  if (freeMb < 200)
    throw new PlainError(`The disk that holds ${dir} has ${freeMb} MB free; at least 200 MB are needed.`);
}

/** HOST other than loopback exposes the server: APP_URL must say under which address. */
export function checkHostSetting(env) {
  const host = env.HOST ?? '127.0.0.1';
  const loopback = ['127.0.0.1', 'localhost', '::1'].includes(host);
  if (!loopback && !env.APP_URL)
    throw new PlainError(`HOST=${host} opens the server to the network: set APP_URL to its public address as well.`);
}
