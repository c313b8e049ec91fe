import type { LoweringTable } from './engine';
import { llamaCppCache } from './llama-cpp-cache';
import { llamaCppCompute } from './llama-cpp-compute';
import { llamaCppServing } from './llama-cpp-serving';
import { llamaCppSpeculation } from './llama-cpp-speculation';
import { llamaCppWeights } from './llama-cpp-weights';

/** Both runtimes share this table: the embedded engine takes llama-server's flag names. */
export const llamaCppLowering: LoweringTable = {
  ...llamaCppWeights,
  ...llamaCppCompute,
  ...llamaCppCache,
  ...llamaCppSpeculation,
  ...llamaCppServing,
};
