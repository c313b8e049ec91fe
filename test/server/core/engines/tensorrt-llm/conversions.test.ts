import { describe, expect, it } from 'vitest';
import { tensorrtLlm } from '@/server/core/engines/tensorrt-llm';
import type { Scope, SettingName } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const draft = checkpoint({
  scope: 'draft',
  repo: 'yuhuili/EAGLE3-LLaMA3.1-Instruct-8B',
  format: 'safetensors:bfloat16',
});
const on = (id: string, count = 1, version = '1.2.1'): Situation => ({
  version,
  checkpoints: [llama, draft],
  hardware: { kind: 'gpu', id, count },
});
const h100 = on('H100-SXM');
const eight = on('B200-SXM', 8);
const next: Situation = { ...h100, version: '1.3.0rc24' };
const lower = (name: SettingName, value: unknown, situation: Situation = h100, scope: Scope = 'target'): string =>
  lowerShort(tensorrtLlm, name, value as never, situation, scope);
const withValues = (values: Situation['values'], situation: Situation = h100): Situation => ({ ...situation, values });

describe('speculation of TensorRT-LLM', () => {
  const spec = (values: Situation['values'], situation = h100) => {
    const all = { draftTokens: 3, ...values };
    return lower('speculation', values?.speculation, withValues(all, situation));
  };

  it('writes each method by the names of its release', () => {
    expect(spec({ speculation: 'eagle3' })).toBe(
      'speculative_config.decoding_type: "Eagle", speculative_config.max_draft_len: 3, speculative_config.speculative_model_dir: "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"',
    );
    expect(spec({ speculation: 'eagle3' }, next)).toBe(
      'speculative_config.decoding_type: "Eagle3", speculative_config.max_draft_len: 3, speculative_config.speculative_model: "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"',
    );
    expect(spec({ speculation: 'mtp' })).toBe(
      'speculative_config.decoding_type: "MTP", speculative_config.num_nextn_predict_layers: 3',
    );
    expect(spec({ speculation: 'mtp' }, next)).toBe(
      'speculative_config.decoding_type: "MTP", speculative_config.max_draft_len: 3',
    );
    expect(spec({ speculation: 'prompt-lookup', promptLookupMinTokens: 1, promptLookupMaxTokens: 4 })).toBe(
      'speculative_config.decoding_type: "NGram", speculative_config.max_draft_len: 3, speculative_config.max_matching_ngram_size: 4, disable_overlap_scheduler: true',
    );
    expect(spec({ speculation: 'draft-model' }, next)).toMatch(/"Draft_Target"/);
    expect(spec({ speculation: 'draft-model' }, next)).not.toMatch(/overlap/);
    expect(spec({ speculation: 'suffix' }, next)).toMatch(/"SA"/);
    expect(spec({ speculation: 'dflash' }, next)).toMatch(/"DFlash"/);
  });

  it('drafts a tree with a depth, from 1.3 on', () => {
    const tree = { speculation: 'eagle3' as const, draftTokens: 12, draftTreeTopK: 4, draftTreeDepth: 5 };
    expect(spec(tree, next)).toMatch(
      /max_draft_len: 5, .*use_dynamic_tree: true, .*dynamic_tree_max_topK: 4, .*max_total_draft_tokens: 12/,
    );
    expect(spec(tree)).toMatch(/dynamic draft tree came after 1\.2/);
    expect(spec({ ...tree, draftTokens: 40 }, next)).toMatch(/holds 5 to 20 tokens, not 40/);
    expect(lower('draftTreeDepth', 4, withValues({ speculation: 'mtp', draftTokens: 3 }))).toMatch(/a chain, as deep/);
    expect(lower('draftTreeTopK', 4, withValues({ speculation: 'mtp', draftTokens: 3 }))).toMatch(/drafts a chain/);
  });

  it.each<[Situation['values'], Situation, RegExp]>([
    [{ speculation: 'medusa' }, h100, /only on the TensorRT engine backend/],
    [{ speculation: 'eagle' }, h100, /only on the TensorRT engine backend/],
    [{ speculation: 'mlp-speculator' }, h100, /no TensorRT-LLM backend/],
    [{ speculation: 'suffix' }, h100, /came after 1\.2/],
    [{ speculation: 'dflash' }, h100, /came after 1\.2/],
    [{ speculation: 'eagle3' }, { ...h100, checkpoints: [llama] }, /needs a draft checkpoint/],
    [{ speculation: 'mtp', pipelineParallel: 2 }, h100, /pipeline parallelism/],
  ])('refuses %o', (values, situation, reason) => {
    expect(spec(values, situation)).toMatch(reason);
  });

  it('carries what belongs to it', () => {
    const values = { speculation: 'eagle3' as const, draftTokens: 3 };
    expect(lower('draftTokens', 3, withValues(values))).toBe('by speculation');
    const lookup = withValues({ speculation: 'prompt-lookup' });
    expect(lower('promptLookupMinTokens', 1, lookup)).toBe('by speculation');
    expect(lower('promptLookupMinTokens', 2, lookup)).toMatch(/^by speculation \| but: NGram looks up every suffix/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', withValues(values), 'draft')).toBe('by speculation');
    expect(lower('weightsFormat', 'safetensors:bfloat16', h100, 'draft')).toMatch(/without speculation/);
    expect(lower('tensorParallel', 1, withValues(values), 'draft')).toMatch(/cannot be set for the draft model/);
  });
});

describe('conversions of TensorRT-LLM', () => {
  it('turns a share of the device into a share of what weights leave', () => {
    // 8.03e9 × 2 bytes of 80e9: (0.9 × 80 − 16.06) ÷ (80 − 16.06) = 0.874.
    expect(lower('memoryFraction', 0.9)).toBe('kv_cache_config.free_gpu_memory_fraction: 0.87');
    expect(lower('memoryFraction', 0.1)).toMatch(/weights alone .* take more than that share/);
    const unknown = { ...h100, checkpoints: [checkpoint({ model: 'own', format: 'safetensors:bfloat16' })] };
    expect(lower('memoryFraction', 0.9, unknown)).toMatch(/size of the weights is unknown/);
  });

  it('counts decoding tokens in the step', () => {
    const values = { maxSequences: 64, speculation: 'eagle3' as const, draftTokens: 3 };
    expect(lower('prefillTokensPerStep', 2048, withValues(values))).toBe('--max_num_tokens 2304');
  });

  it('places tiers, eviction and policies by release and device', () => {
    const host = withValues({ kvTier: 'host-memory', kvTierBytes: 2 ** 34 });
    expect(lower('kvTier', 'host-memory', host)).toBe('by kvTierBytes');
    expect(lower('kvTierBytes', 2 ** 34, host)).toBe('kv_cache_config.host_cache_size: 17179869184');
    const disk = withValues({ kvTier: 'disk', kvTierBytes: 2 ** 34 }, next);
    expect(lower('kvTier', 'disk', disk)).toMatch(/disk_cache_path: "\/tmp"/);
    expect(lower('kvTierBytes', 2 ** 34, disk)).toBe('kv_cache_config.disk_cache_size: 17179869184');
    expect(lower('kvTier', 'lmcache', next)).toBe('kv_connector_config.connector: "lmcache"');
    expect(lower('kvEviction', 'rocket', eight)).toMatch(
      /algorithm: "rocket", kv_cache_config.enable_block_reuse: false \| but: a prototype/,
    );
    expect(lower('schedulingPolicy', 'priority', next)).toBe('scheduler_config.waiting_queue_policy: "priority"');
    expect(lower('schedulingPolicy', 'longest-prefix', next)).toMatch(/enable_prefix_aware_scheduling: true/);
    const priority = withValues({ schedulingPolicy: 'priority' }, next);
    expect(lower('priorityHighFirst', true, priority)).toBe('by schedulingPolicy');
    expect(lower('priorityHighFirst', false, priority)).toMatch(/always goes first/);
  });

  it('spreads ranks, experts and attention over eight devices', () => {
    const tp8 = withValues({ tensorParallel: 8 }, eight);
    expect(lower('tensorParallel', 8, eight)).toBe('--tp_size 8');
    expect(lower('expertParallel', 8, tp8)).toBe('--ep_size 8');
    expect(lower('attentionDataParallel', 8, tp8)).toBe('enable_attention_dp: true');
    expect(lower('operatorFusion', 'off', tp8)).toBe('allreduce_strategy: "NCCL"');
    expect(lower('contextParallel', 2, eight)).toMatch(/cp_type: "HELIX" \| but: /);
    expect(lower('slidingWindow', 'off', withValues({ contextTokensPerSequence: 32768 }))).toBe(
      'kv_cache_config.max_attention_window: [32768]',
    );
    expect(lower('kvCacheValueType', 'NVFP4', withValues({ kvCacheKeyType: 'NVFP4' }, eight))).toBe(
      'by kvCacheKeyType',
    );
  });

  it('names adapters by the field that requests use', () => {
    const adapters = [{ name: 'sql', source: '/adapters/sql' }];
    expect(lower('loraAdapters', adapters)).toMatch(/lora_dir: \["\/adapters\/sql"\] \| but: .*lora_request/);
  });

  it('pins its image and runs on no CPU', () => {
    const image = (kind: 'cpu' | 'gpu') => tensorrtLlm.image({ hardware: { id: 'H100-SXM', kind }, version: '1.2.1' });
    expect(image('gpu')).toBe('nvcr.io/nvidia/tensorrt-llm/release:1.2.1');
    expect(image('cpu')).toBeNull();
  });
});
