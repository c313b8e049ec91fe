import { type Finding, finding } from '../plan/finding';
import { type Config, count, firstCount, flag, isConfig, list, number, object, text } from './config-fields';
import { readLayers } from './config-layers';
import { readQuantization } from './config-quantization';
import { countParameters } from './count-parameters';
import type { ModelFacts } from './model-facts';
import { type OwnModel, ownModelSchema } from './own-model';

/** What a file says of a model. `own` null: it cannot describe one; the findings say why and where. */
export interface ReadModel {
  own: OwnModel | null;
  findings: Finding[];
}

/** Most have some kilobytes; ModelOpt lists every layer of a mixed quantization, which takes a few megabytes. */
const LARGEST_CHARACTERS = 10_000_000;

/** Types whose MLP has two matrices. */
const UNGATED = [
  'opt',
  'gpt2',
  'gpt_neo',
  'gpt_neox',
  'gptj',
  'bloom',
  'falcon',
  'mpt',
  'starcoder2',
  'phi',
  'nemotron',
  'nemotron_h',
  'whisper',
  't5',
];
const WITH_ALIBI = ['bloom', 'mpt'];
const WITH_SINKS = ['gpt_oss'];

const refuse = (message: string): ReadModel => ({
  own: null,
  findings: [finding('error', 'model-config-unreadable', message, { field: 'facts' })],
});

function experts(config: Config, layers: number): ModelFacts['experts'] {
  const total = firstCount(config, 'n_routed_experts', 'num_local_experts', 'num_experts', 'moe_num_experts');
  if (total === null || total === 1) return 'none';
  const ffn = firstCount(config, 'moe_intermediate_size', 'intermediate_size');
  const perToken = firstCount(config, 'num_experts_per_tok', 'experts_per_token', 'top_k_experts', 'moe_topk');
  if (ffn === null || perToken === null) return null;
  const isLlama4 = count(config, 'intermediate_size_mlp') !== null;
  const shared = isLlama4 ? 1 : (count(config, 'n_shared_experts') ?? 0);
  const sharedFfn =
    firstCount(config, 'shared_expert_intermediate_size', 'moe_shared_expert_intermediate_size') ??
    (shared > 0 ? shared * ffn : null);
  const step = firstCount(config, 'interleave_moe_layer_step', 'decoder_sparse_step') ?? 1;
  const dense = (count(config, 'first_k_dense_replace') ?? 0) + (list(config, 'mlp_only_layers')?.length ?? 0);
  const pattern = text(config, 'hybrid_override_pattern');
  const moeLayers =
    pattern === null ? Math.floor((layers - dense) / step) : [...pattern].filter((letter) => letter === 'E').length;
  if (moeLayers < 1) return null;
  return {
    total,
    perToken,
    shared: sharedFfn === null ? 0 : Math.max(1, shared),
    ffn,
    sharedFfn,
    moeLayers,
    denseLayers: pattern === null ? layers - moeLayers : 0,
    paramsTotal: null,
  };
}

function latentAttention(config: Config): ModelFacts['latentAttention'] {
  const kvRank = count(config, 'kv_lora_rank');
  if (kvRank === null) return 'none';
  const [nopeHeadDim, ropeHeadDim, valueHeadDim] = ['qk_nope_head_dim', 'qk_rope_head_dim', 'v_head_dim'].map((name) =>
    count(config, name),
  );
  if (!nopeHeadDim || !ropeHeadDim || !valueHeadDim) return null;
  return { queryRank: count(config, 'q_lora_rank') ?? 0, kvRank, nopeHeadDim, ropeHeadDim, valueHeadDim };
}

function ropeScaling(config: Config): Pick<OwnModel, 'ropeScaling' | 'ropeTheta'> {
  const nested = object(config, 'rope_parameters') ?? {};
  const scaling = object(config, 'rope_scaling') ?? nested;
  const type = text(scaling, 'rope_type') ?? text(scaling, 'type');
  const ropeTheta = number(config, 'rope_theta') ?? number(nested, 'rope_theta');
  if (type === null || type === 'default') return { ropeTheta, ropeScaling: 'none' };
  const factor = number(scaling, 'factor');
  const originalMaxTokens = count(scaling, 'original_max_position_embeddings');
  return { ropeTheta, ropeScaling: { type, factor: factor !== null && factor > 0 ? factor : null, originalMaxTokens } };
}

const DTYPES = ['bfloat16', 'float16', 'float32'] as const;

/** Number format and quantization, from the top of the file. */
function numbers(root: Config, config: Config): Pick<OwnModel, 'dtype' | 'quantization' | 'formats'> {
  const named = [root, config].flatMap((c) => [text(c, 'torch_dtype'), text(c, 'dtype')]).find((name) => name !== null);
  const dtype = DTYPES.find((name) => name === named) ?? null;
  const raw =
    object(root, 'quantization_config') ?? object(config, 'quantization_config') ?? object(root, 'compression_config');
  if (raw === null) return { dtype, quantization: 'none', formats: [`safetensors:${dtype ?? 'unknown'}`] };
  const read = readQuantization(raw);
  return { dtype, quantization: read?.quantization ?? null, formats: [`safetensors:${read?.type ?? 'unknown'}`] };
}

function attention(config: Config, modelType: string): Partial<OwnModel> {
  const heads = count(config, 'num_attention_heads') ?? count(config, 'n_head');
  const hidden = firstCount(config, 'hidden_size', 'n_embd', 'd_model');
  const latent = latentAttention(config);
  const isLatent = latent !== null && latent !== 'none';
  const derived = heads !== null && hidden !== null && hidden % heads === 0 ? hidden / heads : null;
  return {
    latentAttention: latent,
    kvHeads: firstCount(config, 'num_key_value_heads', 'num_kv_heads') ?? heads,
    headDim: isLatent ? latent.nopeHeadDim + latent.ropeHeadDim : (count(config, 'head_dim') ?? derived),
    hasAttentionBias: flag(config, 'attention_bias') ?? (modelType === 'qwen2' ? true : null),
    hasQkNorm: flag(config, 'use_qk_norm') ?? (/^qwen3|^gemma3/.test(modelType) ? true : null),
    hasAttentionSinks: WITH_SINKS.includes(modelType),
    usesAlibi: WITH_ALIBI.includes(modelType) || flag(config, 'alibi') === true,
    attentionSoftcap: number(config, 'attn_logit_softcapping') ?? 0,
    logitSoftcap: number(config, 'final_logit_softcapping') ?? 0,
    ...ropeScaling(config),
  };
}

/** The four dimensions without which nothing follows, and their spellings. */
const DIMENSIONS = {
  layers: ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'],
  hidden: ['hidden_size', 'n_embd', 'd_model'],
  heads: ['num_attention_heads', 'n_head', 'n_heads'],
  vocab: ['vocab_size', 'n_vocab'],
} as const;

function build(root: Config, config: Config, dimensions: Record<keyof typeof DIMENSIONS, number>): OwnModel {
  const modelType = text(root, 'model_type') ?? '';
  const [className] = (list(root, 'architectures') ?? []).filter((name): name is string => typeof name === 'string');
  const moe = experts(config, dimensions.layers);
  const isAllExperts = moe !== null && moe !== 'none' && moe.denseLayers === 0;
  const hasTower = ['vision_config', 'audio_config', 'visual'].some((name) => object(root, name) !== null);
  const own = {
    ...dimensions,
    className: className ?? null,
    modelType: modelType === '' ? null : modelType,
    isMultimodal: hasTower,
    isEncoderDecoder: flag(root, 'is_encoder_decoder') ?? false,
    ...attention(config, modelType),
    ...readLayers({ ...config, model_type: modelType }, dimensions.layers),
    experts: moe,
    ffn: isAllExperts ? null : firstCount(config, 'intermediate_size_mlp', 'intermediate_size', 'ffn_dim', 'n_inner'),
    isGatedMlp: !UNGATED.includes(modelType),
    mtpLayers: firstCount(config, 'num_nextn_predict_layers', 'mtp_num_hidden_layers') ?? 0,
    maxTokens: firstCount(config, 'max_position_embeddings', 'n_positions', 'max_sequence_length', 'seq_length'),
    tiedEmbeddings: flag(root, 'tie_word_embeddings') ?? flag(config, 'tie_word_embeddings'),
    ...numbers(root, config),
    source: 'config.json',
  };
  const shape = { kvHeads: null, headDim: null, latentAttention: null, linearAttention: null, ...own };
  const counted = countParameters(shape as Parameters<typeof countParameters>[0]);
  const window = own.window === 'none' || !own.window ? null : own.window.tokens;
  return ownModelSchema.parse({
    ...own,
    slidingWindowTokens: window,
    paramsTotal: counted?.total ?? null,
    paramsActive: counted?.active ?? null,
    paramsEmbedding: counted?.embedding ?? own.vocab * own.hidden,
  });
}

/** Python's writer leaves Infinity and NaN in a file, which JSON does not have. */
const withoutInfinities = (source: string): string => source.replaceAll(/([:,[]\s*)-?(?:Infinity|NaN)\b/g, '$1null');

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    if (!/Infinity|NaN/.test(source)) throw error;
    return JSON.parse(withoutInfinities(source));
  }
}

/** Layers of a hybrid that lists them one by one instead of counting them. */
function withLayers(config: Config): Config {
  if (count(config, 'num_hidden_layers') !== null) return config;
  const pattern = text(config, 'hybrid_override_pattern');
  const named = list(config, 'layers_block_type') ?? list(config, 'layer_types');
  const layers = pattern?.length ?? named?.length ?? null;
  return layers === null ? config : { ...config, num_hidden_layers: layers };
}

/** Facts from the text of a Hugging Face config.json. Pure; what the file does not say stays null. */
export function readConfigJson(source: string): ReadModel {
  if (source.length > LARGEST_CHARACTERS) {
    return refuse(`${source.length} characters are too many for a config.json; the limit is ${LARGEST_CHARACTERS}.`);
  }
  let root: unknown;
  try {
    root = parse(source);
  } catch (error) {
    return refuse(`The text is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!isConfig(root)) return refuse('The text is JSON, but no object: a config.json starts with {.');
  const nested = object(root, 'text_config') ?? object(root, 'llm_config');
  const config = withLayers(nested ?? root);
  const where = nested === null ? '' : 'text_config.';
  const entries = Object.entries(DIMENSIONS).map(
    ([name, names]) => [name, names, firstCount(config, ...names)] as const,
  );
  const missing = entries.filter(([, , value]) => value === null).map(([, names]) => `${where}${names[0]}`);
  if (missing.length > 0) {
    const keys = Object.keys(config).slice(0, 6).join(', ');
    return refuse(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing or no positive whole number; the text has ${keys || 'no keys'}.`,
    );
  }
  const dimensions = Object.fromEntries(entries.map(([name, , value]) => [name, value])) as Record<
    keyof typeof DIMENSIONS,
    number
  >;
  return { own: build(root, config, dimensions), findings: [] };
}
