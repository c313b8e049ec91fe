import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { type TrialOutcome, trialOutcomeSchema } from './trial';

/**
 * SHA-256 hex over the canonical JSON (RFC 8785) of an outcome as the schema reads it. Agent and server compute it
 * from their own copy: a difference means that the outcome changed on its way.
 */
export function outcomeDigest(outcome: TrialOutcome): string {
  // Through JSON first: the digest is over what travels.
  const parsed = trialOutcomeSchema.parse(JSON.parse(JSON.stringify(outcome)));
  return bytesToHex(sha256(utf8ToBytes(canonicalize(parsed) ?? '')));
}
