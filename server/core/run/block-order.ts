import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** First 4 bytes of SHA-256 over the text, as an unsigned 32-bit number. */
function hash32(text: string): number {
  return new DataView(sha256(utf8ToBytes(text)).buffer).getUint32(0);
}

/** H(seed, block): what the prompts of one block are drawn from, shared by all of its arms (METHODOLOGY, "Load"). */
export function blockSeed(seed: number, blockIndex: number): number {
  return hash32(`inferloom block seed ${seed} ${blockIndex}`);
}

/** Order in which the arms of one block run: a Fisher–Yates shuffle of 0 … arms−1 from the experiment's seed. */
export function blockOrder(seed: number, blockIndex: number, arms: number): number[] {
  const order = Array.from({ length: arms }, (_, arm) => arm);
  for (let last = arms - 1; last > 0; last--) {
    const pick = hash32(`inferloom block order ${seed} ${blockIndex} ${last}`) % (last + 1);
    const moved = order[last] as number;
    order[last] = order[pick] as number;
    order[pick] = moved;
  }
  return order;
}
