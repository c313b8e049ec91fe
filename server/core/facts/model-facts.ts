import { z } from 'zod';

const count = z.number().int().positive();
const whole = z.number().int().nonnegative();

/** A part that not every model has: `none` where it is known to be absent, null where nobody recorded it. */
const part = <S extends z.ZodObject>(shape: S) => z.union([z.literal('none'), shape]).nullable();

/** Multi-head latent attention: ranks and per-head widths, elements. `queryRank` 0: queries are not compressed. */
const latentAttentionSchema = z.object({
  queryRank: whole,
  kvRank: count,
  nopeHeadDim: count,
  ropeHeadDim: count,
  valueHeadDim: count,
});

/** Mixture of experts. `ffn`: width of one routed expert; `sharedFfn`: of all shared ones together. */
const expertsSchema = z.object({
  total: count,
  perToken: count,
  shared: whole.nullable(),
  ffn: count,
  sharedFfn: count.nullable(),
  moeLayers: count,
  denseLayers: whole,
  /** Parameters of all routed experts. */
  paramsTotal: count.nullable(),
});

/** Layers that keep a state of constant size for each sequence in place of a cache: linear attention, Mamba. */
const linearAttentionSchema = z.object({
  layers: count,
  /** State of one layer and sequence, elements; kept in float32 as a rule. */
  stateElementsPerLayer: count.nullable(),
});

/** Layers that see only the last `tokens`. */
const windowSchema = z.object({ tokens: count, slidingLayers: whole, fullLayers: whole });

/** How positions beyond the trained length are reached. */
const ropeScalingSchema = z.object({
  type: z.string(),
  factor: z.number().positive().nullable(),
  originalMaxTokens: count.nullable(),
});

/** Quantization of a checkpoint as its configuration names it. `groupSize` -1: one scale a channel. */
const quantizationSchema = z.object({
  /** awq, gptq, fp8, mxfp4, modelopt, modelopt_fp4, compressed-tensors, bitsandbytes, … */
  method: z.string(),
  /** compressed-tensors and Quark: `W4A16`, `W8A8-INT8`, `W8A8-FP8`, … */
  scheme: z.string().nullable(),
  groupSize: z.number().int().nullable(),
  actOrder: z.boolean().nullable(),
  /** FP8 in square blocks: the edge, weights. */
  blockSize: count.nullable(),
  hasKvScales: z.boolean().nullable(),
});
export type Quantization = z.infer<typeof quantizationSchema>;

/** What is known of a model. A fact that nobody recorded is null, never a guess. Sizes in elements, lengths in tokens. */
export const modelFactsSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Hugging Face repository, or `bundled:ID` for the demo models in this repository. */
  repo: z.string(),
  architecture: z.enum(['dense', 'moe', 'hybrid']),
  /** Class in `architectures` of config.json, e.g. `LlamaForCausalLM`. */
  className: z.string().nullable(),
  /** `model_type` of config.json. */
  modelType: z.string().nullable(),
  /** `general.architecture` of its GGUF files. */
  ggufArchitecture: z.string().nullable(),
  isMultimodal: z.boolean().nullable(),
  isEncoderDecoder: z.boolean().nullable(),
  paramsTotal: count.nullable(),
  paramsActive: count.nullable(),
  /** Size as the vendor states it, rounded by them. */
  paramsPublished: count.nullable(),
  /** Parameters of the input embedding (not read by a decode step unless tied). */
  paramsEmbedding: count.nullable(),
  layers: count,
  hidden: count,
  heads: count,
  kvHeads: count.nullable(),
  headDim: count.nullable(),
  /** Width of the MLP of a dense layer; null where every layer has experts, or where nobody recorded it. */
  ffn: count.nullable(),
  isGatedMlp: z.boolean().nullable(),
  hasAttentionBias: z.boolean().nullable(),
  hasQkNorm: z.boolean().nullable(),
  /** Learned attention sinks (gpt-oss). */
  hasAttentionSinks: z.boolean().nullable(),
  usesAlibi: z.boolean().nullable(),
  latentAttention: part(latentAttentionSchema),
  experts: part(expertsSchema),
  linearAttention: part(linearAttentionSchema),
  window: part(windowSchema),
  /** Tanh cap of attention scores and of the final logits; 0: none. */
  attentionSoftcap: z.number().nonnegative().nullable(),
  logitSoftcap: z.number().nonnegative().nullable(),
  ropeTheta: z.number().positive().nullable(),
  ropeScaling: part(ropeScalingSchema),
  /** Multi-token-prediction layers in the checkpoint; 0: none. */
  mtpLayers: whole.nullable(),
  vocab: count,
  /** Longest sequence that the model was made for, tokens. */
  maxTokens: count.nullable(),
  tiedEmbeddings: z.boolean().nullable(),
  /** Size of the window of `window`; null where there is none or nobody recorded it. */
  slidingWindowTokens: count.nullable(),
  /** Models of one family share their tokenizer: a draft must come from the target's. */
  tokenizerFamily: z.string().nullable(),
  /** Keys and values of one token in every caching layer, no window counted; latent attention: its one latent. */
  kvBytesPerTokenBf16: count.nullable(),
  /** Number format of the weights that are not quantized. */
  dtype: z.enum(['bfloat16', 'float16', 'float32']).nullable(),
  /** How the checkpoint in `repo` itself is quantized. */
  quantization: part(quantizationSchema),
  /** Formats that exist without a conversion, best first, e.g. `gguf:F16`, `safetensors:bfloat16`. */
  formats: z.array(z.string()).min(1),
  /** Container or scheme (`GGUF`, `AWQ`, …) → repositories that hold such a checkpoint, best known first. */
  quantizedRepos: z.record(z.string(), z.array(z.string()).min(1)),
  /** Repositories that people use as a draft for this model. */
  draftModels: z.array(z.string()),
  /** EAGLE, Medusa, P-EAGLE and DFlash heads trained for it. */
  speculators: z.array(z.string()),
  licence: z.string().nullable(),
  notes: z.string().nullable(),
  source: z.string(),
});
export type ModelFacts = Readonly<z.infer<typeof modelFactsSchema>>;

/** The part itself; null where the model has none or nobody recorded it. */
export const partOf = <T extends object>(value: T | 'none' | null): T | null => (value === 'none' ? null : value);
