import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/** Canonical JSON (RFC 8785): equal values give equal text. Goes through JSON first, so that undefined keys are gone. */
export function canonicalText(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? '' : (canonicalize(JSON.parse(text)) ?? '');
}

/** SHA-256 over the canonical text, hex. */
export const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(canonicalText(value))));
