import { z } from 'zod';

/** GGML types that llama.cpp accepts for a KV cache; anything else silently means F16 there. */
export const KV_CACHE_TYPES = ['F32', 'F16', 'BF16', 'Q8_0', 'Q5_1', 'Q5_0', 'Q4_0', 'IQ4_NL'] as const;

/** Cache formats of GPU engines; each lowering says which it has. FP8 is E4M3. */
export const GPU_KV_CACHE_TYPES = ['FP8', 'FP8_E5M2', 'INT8', 'INT4', 'NVFP4'] as const;

const kvCacheType = z.enum([...KV_CACHE_TYPES, ...GPU_KV_CACHE_TYPES]);
const onOff = z.enum(['on', 'off']);
const count = z.number().int().positive();
const bytes = z.number().int().positive();

/** Quantized safetensors checkpoints, after `safetensors:` in a weights format. The engine may also make some at load. */
export const WEIGHT_SCHEMES = [
  'int8-w8a8',
  'int8-weight-only',
  /** Activation scales at run time. */
  'fp8',
  /** Activation scales calibrated and stored in the checkpoint: never made at load. */
  'fp8-static',
  /** Weights in blocks of 128 × 128, activations in groups of 128. */
  'fp8-block',
  'awq-int4',
  'gptq-int4',
  'gptq-int8',
  'w4a16',
  'nvfp4',
  'mxfp4',
  'mxfp8',
  'bnb-nf4',
  'bnb-int8',
] as const;
export type WeightScheme = (typeof WEIGHT_SCHEMES)[number];

export const ATTENTION_BACKENDS = [
  'eager',
  'sdpa',
  'flash-attention-2',
  'flash-attention-3',
  'flash-attention-4',
  'flashinfer',
  'triton',
  'flex-attention',
  'trtllm',
] as const;

export const SPECULATION_METHODS = [
  'off',
  'draft-model',
  'prompt-lookup',
  'suffix',
  'eagle',
  'eagle3',
  'mtp',
  'medusa',
  'mlp-speculator',
  'dflash',
] as const;
export type SpeculationMethod = (typeof SPECULATION_METHODS)[number];

/** Methods whose draft weights (a small model, or heads trained for the target) enter at the port `draft`. */
export const METHODS_WITH_DRAFT: readonly SpeculationMethod[] = [
  'draft-model',
  'eagle',
  'eagle3',
  'medusa',
  'mlp-speculator',
  'dflash',
];

/**
 * Every setting that a plan can hold, engine-neutral and physical. A lowering table has one entry for each
 * key of this object (tsc lists what a new setting still lacks). Units are last in the name.
 */
export const settingSchemas = {
  /** Weight format of the scope's checkpoint: `gguf:Q4_K_M`, `safetensors:bf16`, or `safetensors:` and one of WEIGHT_SCHEMES. */
  weightsFormat: z.string(),
  /** Number format of activations and of weights that are not quantized. */
  computeDtype: z.enum(['bfloat16', 'float16', 'float32']),
  /** How the checkpoint was pruned; `2:4` and `unstructured` load dense where the engine has no kernels for them. */
  weightsSparsity: z.enum(['structured', 'unstructured', '2:4']),

  flashAttention: onOff,
  attentionBackend: z.enum(ATTENTION_BACKENDS),
  torchCompile: onOff,
  cudaGraphs: onOff,
  /** Largest batch (sequences in decode) for which a graph is captured. */
  cudaGraphMaxBatch: count,
  /** Optional fusion passes beyond those that the engine always runs. */
  operatorFusion: onOff,

  kvCacheKeyType: kvCacheType,
  kvCacheValueType: kvCacheType,
  prefixCaching: onOff,
  /** One buffer of fixed length for each sequence instead of pages. */
  staticKvCache: onOff,
  /** Tokens in one page of the cache. */
  kvBlockTokens: count,
  /** Off: layers with a window keep every token all the same. */
  slidingWindow: onOff,
  /** A window imposed on every layer, tokens: lossy where the model was made without. */
  slidingWindowTokens: count,
  /** Where cache blocks go that the device has no room for. */
  kvTier: z.enum(['host-memory', 'disk', 'lmcache', 'mooncake']),
  /** Capacity of that tier, bytes, for the whole engine. */
  kvTierBytes: bytes,
  /** Compression that drops cached tokens by importance. */
  kvEviction: z.enum(['triattention', 'rocket']),
  /** Tokens (prompt + output) that one sequence may hold. */
  contextTokensPerSequence: count,
  /** StreamingLLM: `sinkTokens` first tokens are kept, the rest slides; needs context shift. */
  sinkTokens: z.number().int().nonnegative(),
  /** Sequences decoded at the same time. */
  maxSequences: count,
  /** Prompt tokens processed in one engine step beside the decoding streams. */
  prefillTokensPerStep: count,
  threads: count,
  /** Requests that may wait; one more gets 429. */
  queueLimit: z.number().int().nonnegative(),
  /** Name of a secret (`INFERLOOM_SECRET_…`), never its value. */
  apiKeySecret: z.string().regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/),
  speculation: z.enum(SPECULATION_METHODS),
  /** Tokens drafted a step (k). */
  draftTokens: count,
  promptLookupMinTokens: count,
  promptLookupMaxTokens: count,
  /** Branches that a tree draft keeps at each level; 1 is a chain. */
  draftTreeTopK: count,
  /** Levels of a draft tree: the most drafted tokens that one step can accept. A chain (one branch) has as many as tokens. */
  draftTreeDepth: count,
  structuredOutputBackend: z.enum(['xgrammar', 'guidance', 'outlines', 'lm-format-enforcer']),

  chunkedPrefill: onOff,
  schedulingPolicy: z.enum(['first-come', 'priority', 'longest-prefix']),
  /** With the priority policy: does a larger number go first? Engines differ. */
  priorityHighFirst: z.boolean(),
  /** What happens to running sequences when the cache is full. */
  preemption: z.enum(['recompute', 'swap', 'never']),
  /** Dynamic batching: how long a request waits for others to share its batch, ms. */
  batchWaitMs: z.number().nonnegative(),
  /** Tokens that the server gathers before it sends them on a stream. */
  streamIntervalTokens: count,
  metricsEndpoint: onOff,
  /** Folder on the worker for traces of the torch profiler. */
  torchProfilerFolder: z.string().min(1),

  tensorParallel: count,
  pipelineParallel: count,
  /** Whole copies of the model behind one server. */
  dataParallel: count,
  /** Ranks over which the experts of a MoE layer are spread. */
  expertParallel: count,
  /** Ranks that each keep the attention (and cache) of their own sequences, while the MLP is shared. */
  attentionDataParallel: count,
  contextParallel: count,
  /** Weights kept in host memory and copied in for each step, bytes for each device. */
  cpuOffloadBytes: bytes,
  /** MoE layers whose experts stay on the CPU. */
  cpuExpertLayers: count,
  /** Layers kept on the device; the rest runs on the CPU. */
  deviceLayers: z.number().int().nonnegative(),

  /** Adapters that requests can name, in the order of their nodes. `source`: repository or path on the worker. */
  loraAdapters: z.array(z.object({ name: z.string().min(1), source: z.string().min(1) })).min(1),
  loraMaxRank: count,
  /** Adapters in one batch. */
  loraMaxActive: count,

  /** Share of the device's memory that the engine may use, 0…1 (vLLM's meaning; others convert or refuse). */
  memoryFraction: z.number().gt(0).max(1),
  /** Request defaults: kind `request`, never in argv. */
  temperature: z.number().nonnegative(),
  topP: z.number().gt(0).max(1),
  topK: z.number().int().nonnegative(),
  minP: z.number().min(0).max(1),
  beams: count,
} as const;

export type SettingName = keyof typeof settingSchemas;
export type SettingValues = { [K in SettingName]: z.infer<(typeof settingSchemas)[K]> };
export const SETTING_NAMES = Object.keys(settingSchemas) as SettingName[];
/**
 * Lists that several nodes add to: joined in the order of the chain, equal entries once. Two entries of one `name`
 * that differ are the conflict here; for every other setting two nodes that set it differently are.
 */
export const JOINED_SETTINGS = ['loraAdapters'] as const satisfies SettingName[];
export const REQUEST_SETTINGS = ['temperature', 'topP', 'topK', 'minP', 'beams'] as const satisfies SettingName[];

/** Into which part of a plan a value is imported. */
export const SCOPES = ['target', 'draft', 'prefill', 'decode', 'adapter'] as const;
export type Scope = (typeof SCOPES)[number];

/** What one node asks for. `value` null means the technique is switched off where the setting has no off value. */
export interface AskedSetting<K extends SettingName = SettingName> {
  scope: Scope;
  name: K;
  value: SettingValues[K];
  nodeId: string;
  field: string;
}
