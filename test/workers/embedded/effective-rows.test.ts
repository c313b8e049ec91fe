import { describe, expect, it } from 'vitest';
import { newCounters } from '@/workers/embedded/counters';
import { compareEffective } from '@/workers/embedded/effective-rows';
import type { EffectiveConfiguration } from '@/workers/embedded/http/effective';
import { parseEngineLog } from '@/workers/embedded/parse-log';

const LOG = [
  'print_info: file type   = Q4_K - Medium',
  'llama_context: n_seq_max             = 4',
  'llama_context: n_ctx_seq             = 512',
  'llama_context: flash_attn            = disabled',
  'llama_kv_cache: size =    3.19 MiB (   512 cells,   6 layers,  4/4 seqs), K (q4_0):    1.59 MiB, V (q8_0):    1.59 MiB',
];

function configuration(counters: Partial<ReturnType<typeof newCounters>> = {}): EffectiveConfiguration {
  const tensors = { matrixTypes: { Q4_K: 37, Q6_K: 6 }, unevenRows: [], matrices: 43 };
  return {
    engine: 'node-llama-cpp',
    target: { path: 'm.gguf', log: parseEngineLog(LOG), tensors },
    draft: null,
    threads: 1,
    apiKeyRequired: false,
    chatTemplate: 'plain',
    kvUsage: 0,
    counters: { ...newCounters(), ...counters },
  };
}

const asks = (asked: unknown, origin = 'node-1') => ({
  asked,
  default: null,
  defaultSource: null,
  origin,
  field: null,
});
const rowOf = (name: string, asked: unknown, counters = {}, keyRequired = false) =>
  compareEffective({ [name]: asks(asked) }, configuration(counters), keyRequired)[0];

describe('compareEffective', () => {
  it('reads "changed" when the engine runs another KV type than the plan asked for', () => {
    expect(rowOf('kvCacheKeyType', 'Q8_0')).toMatchObject({
      nodeId: 'node-1',
      asked: 'Q8_0',
      got: 'Q4_0',
      state: 'changed',
    });
    expect(rowOf('kvCacheValueType', 'Q8_0')).toMatchObject({ state: 'applied' });
    expect(rowOf('kvCacheKeyType', 'Q8_0')?.evidence).toMatch(/^log: llama_kv_cache: .*K \(q4_0\)/);
  });

  it('compares formats, sequences, context and flash attention', () => {
    expect(rowOf('weightsFormat', 'gguf:Q4_K_M')).toMatchObject({ state: 'applied' });
    expect(rowOf('weightsFormat', 'gguf:Q8_0')).toMatchObject({ got: 'gguf:Q4_K_M', state: 'changed' });
    expect(rowOf('maxSequences', 4)).toMatchObject({ state: 'applied' });
    expect(rowOf('contextTokensPerSequence', 300)).toMatchObject({ got: 512, state: 'changed' });
    expect(rowOf('flashAttention', 'off')).toMatchObject({ state: 'applied' });
    expect(rowOf('threads', 2)).toMatchObject({ got: 1, state: 'changed' });
  });

  it('names the matrices whose rows do not fit the type', () => {
    const config = configuration();
    config.target.tensors = {
      matrixTypes: { Q5_0: 14 },
      unevenRows: [{ name: 'a', type: 'Q5_0', rowLength: 128 }],
      matrices: 15,
    };
    const [row] = compareEffective({ weightsFormat: asks('gguf:Q4_K_M') }, config, false);
    expect(row).toMatchObject({ state: 'changed' });
    expect(row?.got).toBe('gguf:Q4_K_M, but 1 of 15 matrices as Q5_0: rows of 128 do not divide by 256');
  });

  it('says unverified until a counter shows the effect', () => {
    expect(rowOf('prefixCaching', 'on')).toMatchObject({ state: 'unverified', got: null });
    expect(rowOf('prefixCaching', 'on', { requests: 5, prefixHits: 3 })).toMatchObject({ state: 'applied', got: 'on' });
    expect(rowOf('prefixCaching', 'off', { requests: 5, prefixHits: 3 })).toMatchObject({
      state: 'changed',
      got: 'on',
    });
    expect(rowOf('sinkTokens', 4)).toMatchObject({ state: 'unverified' });
    expect(rowOf('sinkTokens', 4, { contextShifts: 2, sinksKept: 4 })).toMatchObject({ state: 'applied', got: 4 });
    expect(rowOf('prefillTokensPerStep', 64, { largestPrefill: 64 })).toMatchObject({ state: 'applied' });
    expect(rowOf('prefillTokensPerStep', 64, { largestPrefill: 80 })).toMatchObject({ state: 'changed', got: 80 });
    expect(rowOf('speculation', 'prompt-lookup', { speculationSteps: 9 })).toMatchObject({ state: 'applied' });
    expect(rowOf('queueLimit', 2, { rejected: 1, largestQueue: 2 })).toMatchObject({ state: 'applied' });
  });

  it('judges the API key by what a request without one gets', () => {
    expect(rowOf('apiKeySecret', 'INFERLOOM_SECRET_A', {}, true)).toMatchObject({ state: 'applied' });
    expect(rowOf('apiKeySecret', 'INFERLOOM_SECRET_A', {}, false)).toMatchObject({ state: 'ignored' });
  });

  it('shows only what somebody asked for, and what it cannot see as unverified', () => {
    const settings = {
      threads: asks(1, 'default'),
      maxSequences: asks(4, 'workload'),
      'draft.weightsFormat': asks('gguf:F16'),
    };
    expect(compareEffective(settings, configuration(), false)).toMatchObject([
      { setting: 'maxSequences', nodeId: null, state: 'applied' },
      { setting: 'draft.weightsFormat', state: 'unverified', got: null, evidence: null },
    ]);
  });
});
