import { z } from 'zod';
import { GPU_KV_CACHE_TYPES, KV_CACHE_TYPES } from '../../plan/settings';
import type { LossClass, NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

const cacheType = (label: string, part: string) =>
  param(z.enum([...KV_CACHE_TYPES, ...GPU_KV_CACHE_TYPES]).default('Q8_0'), {
    label,
    unit: null,
    description: `Number format of the cached ${part}. Names with Q are llama.cpp's; FP8 and INT are of GPU engines, which keep keys and values alike.`,
    kind: 'launch',
    sweep: ['F16', 'Q8_0', 'FP8'],
  });

const UNQUANTIZED: readonly string[] = ['F32', 'F16', 'BF16'];
const EIGHT_BIT: readonly string[] = ['Q8_0', 'FP8', 'FP8_E5M2', 'INT8'];

function lossOf(key: string, value: string): LossClass {
  const types = [key, value];
  if (types.every((t) => UNQUANTIZED.includes(t))) return 'none';
  return types.every((t) => UNQUANTIZED.includes(t) || EIGHT_BIT.includes(t)) ? 'under-1-percent' : 'lossy';
}

export const kvCacheType: NodeType = defineNodeType({
  type: 'kv-cache-type',
  family: 'kv-cache',
  title: 'KV cache type',
  aliases: ['KV quantization', 'FP8 KV', 'INT8 KV', 'INT4 KV', 'NVFP4 KV', 'kv-cache-dtype', 'KIVI'],
  summary: 'Number formats in which keys and values of past tokens are kept.',
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ key: cacheType('Keys', 'keys'), value: cacheType('Values', 'values') }),
  apply: (p) => ({
    kvCacheKeyType: { value: p.key, field: 'key' },
    kvCacheValueType: { value: p.value, field: 'value' },
  }),
  settings: ['kvCacheKeyType', 'kvCacheValueType'],
  loss: (p) => lossOf(p.key, p.value),
  label: (p) => (p.key === p.value ? `KV ${p.key}` : `KV ${p.key}/${p.value}`),
  technique: {
    loss: 'under-1-percent',
    maturity: 'production',
    suits: 'Long contexts and many sequences, where the cache outweighs the weights.',
    helps: ['memory', 'capacity', 'decode'],
    hurtsWhen: 'The context is short: the cache is small, and unpacking it costs more than it saves.',
    references: ['https://arxiv.org/abs/2402.02750'],
  },
});
