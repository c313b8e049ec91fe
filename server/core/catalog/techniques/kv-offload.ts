import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

const BYTES_PER_GIB = 2 ** 30;

export const kvOffload: NodeType = defineNodeType({
  type: 'kv-offload',
  family: 'kv-cache',
  title: 'KV tier (offload)',
  summary:
    'Cache blocks that the device has no room for go to host memory, disk or a shared store, and come back on a hit.',
  aliases: ['LMCache', 'Mooncake', 'HiCache', 'hierarchical cache', 'CPU offload of the cache', 'kv-offloading'],
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    tier: param(z.enum(['host-memory', 'disk', 'lmcache', 'mooncake']).default('host-memory'), {
      label: 'Tier',
      unit: null,
      description: 'host-memory and disk: of this server; lmcache and mooncake: a store that several servers share.',
      kind: 'launch',
      sweep: ['host-memory', 'lmcache'],
    }),
    sizeGib: param(z.number().gt(0).max(65_536).default(16), {
      label: 'Size',
      unit: 'GiB',
      description: 'Room for cache blocks in that tier, for the whole engine.',
      kind: 'launch',
      sweep: [8, 32, 128],
    }),
  }),
  apply: (p) => ({
    kvTier: { value: p.tier, field: 'tier' },
    kvTierBytes: { value: Math.max(1, Math.round(p.sizeGib * BYTES_PER_GIB)), field: 'sizeGib' },
  }),
  settings: ['kvTier', 'kvTierBytes'],
  label: (p) => `KV tier ${p.tier} ${p.sizeGib} GiB`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Prefixes that come back after the device has dropped them: long documents, agents, chats with pauses.',
    helps: ['prefill', 'capacity'],
    hurtsWhen: 'Prompts share nothing, or the link is slow: copying a block back takes longer than computing it again.',
    references: [
      'https://arxiv.org/abs/2407.00079',
      'https://docs.lmcache.ai/',
      'https://lmsys.org/blog/2025-09-10-sglang-hicache/',
    ],
  },
});
