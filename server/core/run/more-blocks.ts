/** Past so many, nobody would wait: the noise, not the count, is the problem. */
const WORTH_WAITING_FOR = 24;

/** How far a "too noisy" is from an answer: "3 more blocks", or "not at this noise". */
export const moreBlocksText = (moreBlocks: number): string =>
  moreBlocks > WORTH_WAITING_FOR ? 'not at this noise' : `${moreBlocks} more block${moreBlocks === 1 ? '' : 's'}`;
