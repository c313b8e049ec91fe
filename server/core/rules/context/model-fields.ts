import { QUANT_ALGORITHMS, quantizationOf, schemeOf } from '../../facts/checkpoint-quantization';
import { type ModelFacts, partOf, type Quantization } from '../../facts/model-facts';
import type { Checkpoint } from '../../plan/plan';
import type { WeightScheme } from '../../plan/settings';
import type { DraftFields, ModelFields } from '../constraints/context';
import { rowWidths } from '../row-widths';
import type { RuleContext } from '../rule';

const known = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
/** A part of the model: null where it is known to be absent, undefined where nobody recorded it. */
const absentOr = <T, V>(part: T | 'none' | null, read: (part: T) => V): V | null | undefined =>
  part === null ? undefined : part === 'none' ? null : read(part as T);
const hasPart = <T>(part: T | 'none' | null): boolean | undefined => (part === null ? undefined : part !== 'none');

const PLAIN_TYPES = ['bfloat16', 'float16', 'float32', 'bf16', 'fp16', 'fp32', 'f16', 'f32'];

/** Classes for which vLLM implements pipeline stages (docs/models/supported_models.md, column PP; recalled). */
const WITH_STAGES = [
  'LlamaForCausalLM',
  'Llama4ForConditionalGeneration',
  'Qwen2ForCausalLM',
  'Qwen3ForCausalLM',
  'Qwen3MoeForCausalLM',
  'MistralForCausalLM',
  'MixtralForCausalLM',
  'Gemma2ForCausalLM',
  'Gemma3ForCausalLM',
  'Gemma3ForConditionalGeneration',
  'Phi3ForCausalLM',
  'DeepseekV2ForCausalLM',
  'DeepseekV3ForCausalLM',
  'GptOssForCausalLM',
  'MiniMaxM2ForCausalLM',
  'OPTForCausalLM',
];

/** The quantization of the files as they lie there: what is quantized while it loads is plain on disk. */
function quantizationOnDisk(
  facts: ModelFacts | null,
  checkpoint: Checkpoint | undefined,
): Quantization | 'none' | null {
  if (checkpoint === undefined) return null;
  const [container = '', type = ''] = checkpoint.format.split(':');
  if (container === 'gguf') {
    return { method: 'gguf', scheme: null, groupSize: null, actOrder: null, blockSize: null, hasKvScales: false };
  }
  if (checkpoint.source === 'online' || PLAIN_TYPES.includes(type.toLowerCase())) return 'none';
  return quantizationOf(facts, checkpoint.repo, type);
}

function quantizationFields(ctx: RuleContext, checkpoint: Checkpoint | undefined): ModelFields {
  const quantization = quantizationOnDisk(ctx.models.target?.facts ?? null, checkpoint);
  const sparsity = ctx.asked('weightsSparsity')?.value ?? null;
  const plain = { scheme: null, quant_algo: null, group_size: null, desc_act: false, weight_block_size: null };
  const sparse = { sparsity, has_sparsity_config: sparsity === '2:4' ? undefined : false };
  const type = schemeOf(checkpoint?.format.split(':')[1] ?? '') as WeightScheme;
  if (quantization === null) {
    return checkpoint === undefined ? {} : { ...sparse, quant_algo: known(QUANT_ALGORITHMS[type]) };
  }
  if (quantization === 'none') return { quant_method: null, has_kv_scales: false, ...plain, ...sparse };
  const { method, scheme, groupSize, actOrder, blockSize, hasKvScales } = quantization;
  // Only compressed-tensors and Quark have schemes, only integer methods have groups.
  const hasSchemes = method === 'compressed-tensors' || method === 'quark';
  const hasGroups = ['awq', 'gptq', 'compressed-tensors', 'quark'].includes(method);
  return {
    ...sparse,
    quant_method: method,
    scheme: hasSchemes ? known(scheme) : null,
    quant_algo: blockSize === null ? known(QUANT_ALGORITHMS[type]) : 'FP8_BLOCK_SCALES',
    group_size: hasGroups ? known(groupSize) : groupSize,
    desc_act: hasGroups ? known(actOrder) : false,
    weight_block_size: blockSize,
    has_kv_scales: known(hasKvScales),
  };
}

/** Name of the architecture as the engine's constraints write it. */
function archOf({ engine }: RuleContext, facts: ModelFacts): string | undefined {
  if (engine.id === 'llama.cpp') return known(facts.ggufArchitecture);
  return known(engine.id === 'tgi' ? facts.modelType : facts.className);
}

/** Widths that llama.cpp keeps for one head: with latent attention one latent serves all (convert_hf_to_gguf.py). */
function headWidths(facts: ModelFacts): Pick<ModelFields, 'head_dim_k' | 'head_dim_v'> {
  const latent = partOf(facts.latentAttention);
  if (latent !== null) return { head_dim_k: latent.kvRank + latent.ropeHeadDim, head_dim_v: latent.kvRank };
  return facts.latentAttention === null ? {} : { head_dim_k: known(facts.headDim), head_dim_v: known(facts.headDim) };
}

/** Widths of a rank's slices of the MLP (of one expert). */
function shardFields(ctx: RuleContext, facts: ModelFacts): ModelFields {
  const full = partOf(facts.experts)?.ffn ?? facts.ffn;
  if (full === null || facts.experts === null) return {};
  const width = Math.floor(full / (ctx.value('tensorParallel') ?? 1));
  return { in_per_shard: width, out_per_shard: width };
}

/** llama.cpp: caches of latent and recurrent layers cannot be shifted; with windows it depends. */
function canShift({ latentAttention, linearAttention, window }: ModelFacts): boolean | undefined {
  if (partOf(latentAttention) !== null || partOf(linearAttention) !== null) return false;
  return latentAttention === 'none' && linearAttention === 'none' && window === 'none' ? true : undefined;
}

function architectureFields(ctx: RuleContext, facts: ModelFacts): ModelFields {
  const widths = rowWidths(facts);
  const isHybrid = hasPart(facts.linearAttention);
  const multipleOf = (block: number) => widths?.every((width) => width % block === 0);
  return {
    arch: archOf(ctx, facts),
    heads: facts.heads,
    kv_heads: known(facts.kvHeads),
    head_dim: known(facts.headDim),
    ...headWidths(facts),
    ...shardFields(ctx, facts),
    intermediate: known(facts.ffn),
    moe_intermediate: absentOr(facts.experts, ({ ffn }) => ffn),
    max_len: known(facts.maxTokens),
    sliding_window: absentOr(facts.window, ({ tokens }) => tokens),
    is_moe: hasPart(facts.experts),
    is_mla: hasPart(facts.latentAttention),
    is_hybrid_mamba: isHybrid,
    is_recurrent: isHybrid,
    is_multimodal: known(facts.isMultimodal),
    is_encoder_decoder: known(facts.isEncoderDecoder),
    decoder_only: facts.isEncoderDecoder === null ? undefined : !facts.isEncoderDecoder,
    is_pooling: /ForCausalLM$|ForConditionalGeneration$/.test(facts.className ?? '') ? false : undefined,
    has_sinks: known(facts.hasAttentionSinks),
    alibi: known(facts.usesAlibi),
    n_predict: known(facts.mtpLayers),
    pp_supported: WITH_STAGES.includes(facts.className ?? '') ? true : undefined,
    kv_can_shift: canShift(facts),
    row_sizes_multiple_of_32: multipleOf(32),
    row_sizes_multiple_of_256: multipleOf(256),
    has_medusa_heads: false,
    tie_word_embeddings: known(facts.tiedEmbeddings),
    vocab: facts.vocab,
    tokenizer: known(facts.tokenizerFamily),
  };
}

/** Number format of what is not quantized: AWQ checkpoints are written in float16. */
function dtypeOf(facts: ModelFacts | null, checkpoint: Checkpoint | undefined): string | undefined {
  const type = checkpoint?.format.split(':')[1] ?? '';
  if (type === 'float16' || type === 'bfloat16' || type === 'float32') return type;
  return schemeOf(type) === 'awq-int4' ? 'float16' : known(facts?.dtype);
}

/** Facts of the target model and of the checkpoint in use. What nobody recorded is left out. */
export function modelFields(ctx: RuleContext): ModelFields {
  const model = ctx.models.target;
  if (model === undefined) return {};
  const checkpoint = ctx.checkpoints.find(({ scope }) => scope === 'target');
  const container = checkpoint?.format.split(':', 1)[0];
  return {
    format: container === 'gguf' || container === 'safetensors' ? container : undefined,
    path: checkpoint?.repo,
    dtype: dtypeOf(model.facts, checkpoint),
    ...(model.facts === null ? {} : architectureFields(ctx, model.facts)),
    ...quantizationFields(ctx, checkpoint),
  };
}

export function draftFields(ctx: RuleContext): DraftFields {
  const { draft } = ctx.models;
  // Without a draft nothing about one is unknown: there is none.
  if (draft === undefined) return { heads: null, arch: null };
  const { facts } = draft;
  if (facts === null) return {};
  return { heads: facts.heads, vocab: facts.vocab, tokenizer: known(facts.tokenizerFamily), arch: archOf(ctx, facts) };
}
