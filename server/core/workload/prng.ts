import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A seeded stream of numbers: the same parts give the same numbers everywhere. */
export interface Prng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, below). */
  below(below: number): number;
}

function seedWords(parts: readonly (string | number)[]): [number, number, number, number] {
  const digest = sha256(utf8ToBytes(parts.join('\u0000')));
  const view = new DataView(digest.buffer, digest.byteOffset);
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
}

/** A generator keyed by the SHA-256 of its parts (sfc32 by Chris Doty-Humphrey, PractRand). */
export function createPrng(...parts: readonly (string | number)[]): Prng {
  let [a, b, c, counter] = seedWords(parts);
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return { next, below: (below) => Math.floor(next() * below) };
}
