import type { LoweringTable } from './engine';
import { vllmAttention } from './vllm-attention';
import { vllmCache } from './vllm-cache';
import { vllmCompilation } from './vllm-compilation';
import { vllmParallel } from './vllm-parallel';
import { vllmScheduling } from './vllm-scheduling';
import { vllmServing } from './vllm-serving';
import { vllmSpeculation } from './vllm-speculation';
import { vllmWeights } from './vllm-weights';

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
