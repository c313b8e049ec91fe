import type { ContextValue } from './expression';

/** What a plan chooses. A field that nobody set is None; defaults of the engine are not filled in. */
export const CHOICE_NAMESPACES = [
  'arg',
  'spec',
  'req',
  'env',
  'w',
  'manifest',
  'quantize',
  'extra',
  'search',
  'provider',
  'sliding_window',
  'engine',
  'q',
  'cfg',
  'gen',
  'serve',
  'yaml',
  'cli',
  'kv_cache_config',
  'kv_cache_compression_config',
  'cp_config',
  'lora_config',
  'cuda_graph_config',
  'scheduler_config',
  'moe_config',
] as const;

/** What is so. A field that is left out is unknown; one known to be absent is null or false. */
export const FACT_NAMESPACES = ['model', 'draft', 'hw', 'build', 'backend', 'conn', 'kv', 'quant'] as const;

type Fields = Readonly<Record<string, ContextValue>>;

interface TokenizerFields {
  tokenizer?: string | null;
  vocab?: number | null;
  vocab_type?: string | null;
  bos?: number | null;
  eos?: number | null;
}

/** Facts of the target checkpoint. Sizes in elements, lengths in tokens. */
export interface ModelFields extends TokenizerFields {
  /** Hugging Face class; GGUF name for llama.cpp, `model_type` for TGI. */
  arch?: string | null;
  path?: string | null;
  format?: 'safetensors' | 'gguf' | null;
  heads?: number | null;
  kv_heads?: number | null;
  head_dim?: number | null;
  head_dim_k?: number | null;
  head_dim_v?: number | null;
  intermediate?: number | null;
  moe_intermediate?: number | null;
  max_len?: number | null;
  dtype?: string | null;
  sliding_window?: number | null;
  is_moe?: boolean;
  is_mla?: boolean;
  is_hybrid_mamba?: boolean;
  is_recurrent?: boolean;
  is_multimodal?: boolean;
  is_encoder_decoder?: boolean;
  is_pooling?: boolean;
  decoder_only?: boolean;
  has_sinks?: boolean;
  alibi?: boolean;
  n_predict?: number | null;
  pp_supported?: boolean;
  quant_method?: string | null;
  scheme?: string | null;
  quant_algo?: string | null;
  group_size?: number | null;
  desc_act?: boolean;
  weight_block_size?: number | null;
  in_per_shard?: number | null;
  out_per_shard?: number | null;
  has_sparsity_config?: boolean;
  sparsity?: string | null;
  has_kv_scales?: boolean;
  kv_can_shift?: boolean;
  row_sizes_multiple_of_32?: boolean;
  row_sizes_multiple_of_256?: boolean;
  has_medusa_heads?: boolean;
  medusa_heads?: number | null;
  uses_gqa_op?: boolean;
  tie_word_embeddings?: boolean;
}

export interface DraftFields extends TokenizerFields {
  heads?: number | null;
  arch?: string | null;
  block_size?: number | null;
  token_texts_match_from_5?: boolean;
  converted_with_target?: boolean;
}

export interface HardwareFields {
  vendor?: 'nvidia' | 'amd' | 'intel' | 'cpu' | 'apple' | 'npu';
  /** NVIDIA compute capability × 10; null for others. */
  cc?: number | null;
  rocm_arch?: string | null;
  gpus?: number;
  gpus_per_node?: number;
}

/** A plan as the constraints see it. `ver`: the version that will run. `quant` is derived unless it is given. */
export type PlanContext = Readonly<
  Partial<Record<(typeof CHOICE_NAMESPACES)[number], Fields>> & {
    ver?: string;
    model?: ModelFields;
    draft?: DraftFields;
    hw?: HardwareFields;
    /** Package or build option → present, or its version. */
    build?: Fields;
    backend?: { cudagraph_support?: string | null; supports_fa?: boolean };
    conn?: { supports_hma?: boolean };
    kv?: { num_blocks?: number };
    quant?: {
      method?: string | null;
      min_cc?: number;
      act_dtypes?: readonly string[];
      accepted_flags?: readonly string[];
    };
  }
>;
