import type { LoweringTable } from '../engine';
import { llamaCppCache } from './cache';
import { llamaCppCompute } from './compute';
import { llamaCppServing } from './serving';
import { llamaCppSpeculation } from './speculation';
import { llamaCppWeights } from './weights';

/** Both runtimes share this table: the embedded engine takes llama-server's flag names. */
export const llamaCppLowering: LoweringTable = {
  ...llamaCppWeights,
  ...llamaCppCompute,
  ...llamaCppCache,
  ...llamaCppSpeculation,
  ...llamaCppServing,
};
