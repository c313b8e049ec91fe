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

/** The seed of one block: H(seed, block), shared by all arms of the block. A 32-bit integer. */
export function blockSeed(seed: number, block: number): number {
  return seedWords(['block', seed, block])[0];
}

/** A new array with the items in an order drawn from the generator (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], prng: Prng): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = prng.below(i + 1);
    const [x, y] = [out[i] as T, out[j] as T];
    out[i] = y;
    out[j] = x;
  }
  return out;
}
