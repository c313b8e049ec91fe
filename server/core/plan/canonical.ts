import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/** Canonical JSON (RFC 8785): equal values give equal text. Undefined keys are left out; a number that is none is null. */
export function canonicalText(value: unknown): string {
  try {
    return canonicalize(value) ?? '';
  } catch {
    // The standard has no text for NaN and infinities; JSON writes null.
    const text = JSON.stringify(value);
    return text === undefined ? '' : (canonicalize(JSON.parse(text)) ?? '');
  }
}

/** SHA-256 over the canonical text, hex. */
export const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(canonicalText(value))));

/** Whether two values have the same canonical text; plain values need none. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalText(a) === canonicalText(b));
