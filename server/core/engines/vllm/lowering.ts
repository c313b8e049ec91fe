import type { LoweringTable } from '../engine';
import { vllmAttention } from './attention';
import { vllmCache } from './cache';
import { vllmCompilation } from './compilation';
import { vllmParallel } from './parallel';
import { vllmScheduling } from './scheduling';
import { vllmServing } from './serving';
import { vllmSpeculation } from './speculation';
import { vllmWeights } from './weights';

export const vllmLowering: LoweringTable = {
  ...vllmWeights,
  ...vllmAttention,
  ...vllmCompilation,
  ...vllmCache,
  ...vllmScheduling,
  ...vllmParallel,
  ...vllmSpeculation,
  ...vllmServing,
};
