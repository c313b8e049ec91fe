import { createHash, randomBytes } from 'node:crypto';

/** SHA-256 hex of a token: what the store keeps. Tokens are random, so that no salt and no slow hash is needed. */
export const hashToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 12;

/** A new token, e.g. `inf_w_…`; `prefix` is what may be shown later. */
export function newToken(kind: 'api_key' | 'worker'): { token: string; prefix: string; hash: string } {
  const token = `${kind === 'worker' ? 'inf_w_' : 'inf_k_'}${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { token, prefix: token.slice(0, SHOWN_CHARACTERS), hash: hashToken(token) };
}

/** The secret part of a one-time link. */
export const newLinkSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
