import { describe, expect, it } from 'vitest';
import { parseEngineLog } from '@/workers/embedded/parse-log';

const LOG = `llama_model_loader: - type  f32:   13 tensors
llama_model_loader: - type q4_K:   37 tensors
llama_model_loader: - type q6_K:    6 tensors
print_info: file type   = Q4_K - Medium
load_tensors:   CPU_Mapped model buffer size =    11.00 MiB
llama_context: n_seq_max             = 4
llama_context: n_ctx                 = 2048
llama_context: n_ctx_seq             = 512
llama_context: n_batch               = 516
llama_context: n_ubatch              = 516
llama_context: flash_attn            = enabled
llama_kv_cache: size =    3.19 MiB (   512 cells,   6 layers,  4/4 seqs), K (q8_0):    1.59 MiB, V (q4_0):    1.59 MiB
sched_reserve:        CPU compute buffer size =     9.50 MiB`.split('\n');

describe('parseEngineLog', () => {
  it('reads what llama.cpp applied, with the line that says so', () => {
    const facts = parseEngineLog(LOG);
    expect(facts).toMatchObject({
      fileType: 'Q4_K - Medium',
      tensorTypes: { f32: 13, q4_K: 37, q6_K: 6 },
      flashAttention: 'on',
      cacheTypeK: 'q8_0',
      cacheTypeV: 'q4_0',
      contextTokens: 2048,
      contextTokensPerSequence: 512,
      sequences: 4,
      batchTokens: 516,
      modelBufferBytes: 11 * 1024 * 1024,
    });
    expect(facts.evidence.cacheTypeK).toContain('K (q8_0)');
  });

  it('lets the later line decide what `auto` became', () => {
    const auto = 'llama_context: flash_attn            = auto';
    expect(parseEngineLog([auto]).flashAttention).toBeNull();
    expect(parseEngineLog([auto, 'resolve_fused_ops: Flash Attention enabled']).flashAttention).toBe('on');
  });

  it('claims nothing that was not said', () => {
    expect(parseEngineLog(['hello'])).toMatchObject({
      cacheTypeK: null,
      flashAttention: null,
      fileType: null,
      tensorTypes: {},
    });
  });
});
