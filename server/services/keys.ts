import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir, readEnv } from '../env';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const singletons = globalThis as typeof globalThis & { inferloomKey?: { file: string; key: Buffer } };

/** The server's one key, made on first use in the data folder (mode 0600). All other keys derive from it. */
function rootKey(): Buffer {
  const folder = dataDir(readEnv());
  const file = join(folder, 'server.key');
  if (singletons.inferloomKey?.file === file) return singletons.inferloomKey.key;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = Buffer.from(readOrMake(file), 'base64url');
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes.`);
  singletons.inferloomKey = { file, key };
  return key;
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Written whole under another name first: a process that starts beside this one never reads half a key.
  const draft = `${file}.${process.pid}`;
  const fd = openSync(draft, 'w', 0o600);
  writeSync(fd, randomBytes(KEY_BYTES).toString('base64url'));
  closeSync(fd);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

/** A key for one purpose, e.g. `secrets` or `sessions`. */
export const deriveKey = (purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', rootKey(), '', `inferloom ${purpose}`, KEY_BYTES));

/** AES-256-GCM; `context` (team and name) must be the same when it is opened. */
export function seal(value: string, context: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey('secrets'), nonce).setAAD(Buffer.from(context));
  return new Uint8Array(Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]));
}

/** Throws when the key file is another one or the row was changed. */
export function unseal(sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey('secrets'), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8');
}
