import { type Finding, finding } from '../plan/finding';
import { type GgufHeader, type GgufValue, readGgufHeader } from './gguf-header';
import type { ModelFacts } from './model-facts';
import { type OwnModel, ownModelSchema } from './own-model';
import type { ReadModel } from './read-config-json';

/** `more`: fetch at least so many bytes from the start and read again. */
export type GgufModel = (ReadModel & { more: null }) | { own: null; findings: Finding[]; more: number };

/** `general.file_type` → type (llama.cpp include/llama.h, enum llama_ftype). */
const FILE_TYPES: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
  36: 'TQ1_0',
  37: 'TQ2_0',
  38: 'MXFP4_MOE',
};

const refuse = (message: string): GgufModel => ({
  own: null,
  more: null,
  findings: [finding('error', 'model-header-unreadable', message, { field: 'facts' })],
});

/** Reads keys of one architecture. */
class Keys {
  constructor(
    private readonly metadata: ReadonlyMap<string, GgufValue>,
    readonly architecture: string,
  ) {}
  raw = (name: string): GgufValue | undefined => this.metadata.get(`${this.architecture}.${name}`);
  /** A positive whole number; of one for each layer, the largest. */
  count(name: string): number | null {
    const value = this.raw(name);
    const largest = Array.isArray(value) ? Math.max(0, ...value) : value;
    return typeof largest === 'number' && Number.isSafeInteger(largest) && largest > 0 ? largest : null;
  }
  number(name: string): number | null {
    const value = this.raw(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }
  text(name: string): string | null {
    const value = this.raw(name);
    return typeof value === 'string' ? value : null;
  }
  /** Layers whose entry is zero, in a list of one for each layer. */
  zeros(name: string): number {
    const value = this.raw(name);
    return Array.isArray(value) ? value.filter((entry) => entry === 0).length : 0;
  }
}

function experts(keys: Keys, layers: number): ModelFacts['experts'] {
  const total = keys.count('expert_count');
  if (total === null) return 'none';
  const [perToken, ffn] = [keys.count('expert_used_count'), keys.count('expert_feed_forward_length')];
  const width = ffn ?? keys.count('feed_forward_length');
  if (perToken === null || width === null) return null;
  const shared = keys.count('expert_shared_count') ?? 0;
  const sharedFfn = keys.count('expert_shared_feed_forward_length') ?? (shared > 0 ? shared * width : null);
  const denseLayers = keys.count('leading_dense_block_count') ?? 0;
  return {
    total,
    perToken,
    shared,
    ffn: width,
    sharedFfn,
    moeLayers: layers - denseLayers,
    denseLayers,
    paramsTotal: null,
  };
}

function latentAttention(keys: Keys): ModelFacts['latentAttention'] {
  const kvRank = keys.count('attention.kv_lora_rank');
  if (kvRank === null) return 'none';
  const ropeHeadDim = keys.count('rope.dimension_count');
  const keyLength = keys.count('attention.key_length_mla') ?? keys.count('attention.key_length');
  const valueHeadDim = keys.count('attention.value_length_mla') ?? keys.count('attention.value_length');
  if (ropeHeadDim === null || keyLength === null || valueHeadDim === null || keyLength <= ropeHeadDim) return null;
  return {
    queryRank: keys.count('attention.q_lora_rank') ?? 0,
    kvRank,
    nopeHeadDim: keyLength - ropeHeadDim,
    ropeHeadDim,
    valueHeadDim,
  };
}

/** Windows: a list says which layers have one; a lone size does not say for how many layers it holds. */
function window(keys: Keys, layers: number): Pick<OwnModel, 'window' | 'slidingWindowTokens'> {
  const tokens = keys.count('attention.sliding_window');
  if (tokens === null) return { window: 'none', slidingWindowTokens: null };
  const pattern = keys.raw('attention.sliding_window_pattern');
  if (!Array.isArray(pattern)) return { window: null, slidingWindowTokens: tokens };
  const slidingLayers = Math.min(layers, pattern.filter((entry) => entry !== 0).length);
  return { window: { tokens, slidingLayers, fullLayers: layers - slidingLayers }, slidingWindowTokens: tokens };
}

function attention(keys: Keys, heads: number, hidden: number): Partial<OwnModel> {
  const latent = latentAttention(keys);
  const isLatent = latent !== null && latent !== 'none';
  const derived = hidden % heads === 0 ? hidden / heads : null;
  const type = keys.text('rope.scaling.type');
  const factor = keys.number('rope.scaling.factor');
  return {
    latentAttention: latent,
    kvHeads: isLatent ? heads : (keys.count('attention.head_count_kv') ?? heads),
    headDim: isLatent ? latent.nopeHeadDim + latent.ropeHeadDim : (keys.count('attention.key_length') ?? derived),
    attentionSoftcap: keys.number('attn_logit_softcapping') ?? 0,
    logitSoftcap: keys.number('final_logit_softcapping') ?? 0,
    ropeTheta: keys.number('rope.freq_base'),
    ropeScaling:
      type === null || type === 'none'
        ? 'none'
        : {
            type,
            factor: factor !== null && factor > 0 ? factor : null,
            originalMaxTokens: keys.count('rope.scaling.original_context_length'),
          },
  };
}

const product = (shape: readonly number[]): number => shape.reduce((size, edge) => size * edge, 1);

/** Parameters as the tensors have them. */
function parameters({ tensors }: GgufHeader, moe: ModelFacts['experts']) {
  const total = tensors.reduce((sum, { shape }) => sum + product(shape), 0);
  const ofExperts = tensors
    .filter(({ name }) => /_exps\b/.test(name))
    .reduce((sum, { shape }) => sum + product(shape), 0);
  const embedding = tensors.find(({ name }) => name === 'token_embd.weight');
  const isExperts = moe !== null && moe !== 'none';
  const idle = isExperts ? ofExperts * (1 - moe.perToken / moe.total) : 0;
  return {
    paramsTotal: total > 0 && Number.isSafeInteger(total) ? total : null,
    paramsActive: total > 0 && (isExperts || moe === 'none') ? Math.round(total - idle) : null,
    paramsEmbedding: embedding === undefined ? null : product(embedding.shape),
    tiedEmbeddings: total === 0 ? null : !tensors.some(({ name }) => name === 'output.weight'),
  };
}

function vocabOf(metadata: ReadonlyMap<string, GgufValue>, keys: Keys): number | null {
  const tokens = metadata.get('tokenizer.ggml.tokens');
  const listed = typeof tokens === 'object' && 'length' in tokens ? tokens.length : null;
  return listed !== null && listed > 0 ? listed : keys.count('vocab_size');
}

const ungated = (tensors: GgufHeader['tensors']): boolean => !tensors.some(({ name }) => /ffn_gate/.test(name));

function build(header: GgufHeader, keys: Keys): GgufModel {
  const { metadata } = header;
  const dimensions = {
    layers: keys.count('block_count'),
    hidden: keys.count('embedding_length'),
    heads: keys.count('attention.head_count'),
    vocab: vocabOf(metadata, keys),
  };
  const names = { layers: 'block_count', hidden: 'embedding_length', heads: 'attention.head_count' };
  const missing = Object.entries(dimensions).flatMap(([name, value]) => (value === null ? [name] : []));
  if (
    dimensions.layers === null ||
    dimensions.hidden === null ||
    dimensions.heads === null ||
    dimensions.vocab === null
  ) {
    const keysMissing = missing.map((name) =>
      name === 'vocab' ? 'tokenizer.ggml.tokens' : `${keys.architecture}.${names[name as keyof typeof names]}`,
    );
    return refuse(`The header lacks ${keysMissing.join(', ')}; is it the first part of a language model?`);
  }
  const mtp = keys.count('nextn_predict_layers') ?? 0;
  const layers = dimensions.layers - mtp;
  const moe = experts(keys, layers);
  const cacheless = keys.zeros('attention.head_count_kv');
  const hasStates = keys.count('ssm.state_size') !== null;
  const fileType = metadata.get('general.file_type');
  const type = typeof fileType === 'number' ? FILE_TYPES[fileType] : undefined;
  const own = ownModelSchema.parse({
    ...dimensions,
    layers,
    ggufArchitecture: keys.architecture,
    isMultimodal: false,
    isEncoderDecoder: keys.architecture === 't5',
    ...attention(keys, dimensions.heads, dimensions.hidden),
    ...window(keys, layers),
    linearAttention: cacheless > 0 ? { layers: cacheless, stateElementsPerLayer: null } : hasStates ? null : 'none',
    experts: moe,
    ffn: moe !== null && moe !== 'none' && moe.denseLayers === 0 ? null : keys.count('feed_forward_length'),
    isGatedMlp: !ungated(header.tensors),
    hasAttentionSinks: header.tensors.some(({ name }) => /attn_sinks/.test(name)),
    usesAlibi: (keys.number('attention.max_alibi_bias') ?? 0) > 0,
    mtpLayers: mtp,
    maxTokens: keys.count('context_length'),
    dtype: type === 'F16' ? 'float16' : type === 'BF16' ? 'bfloat16' : null,
    quantization: 'none',
    formats: [`gguf:${type ?? 'unknown'}`],
    ...parameters(header, moe),
    source: 'GGUF header',
  });
  return { own, findings: [], more: null };
}

/** Facts from the first bytes of a GGUF file. `more` says how many bytes the header needs where they do not suffice. */
export function readGgufModel(bytes: Uint8Array): GgufModel {
  const read = readGgufHeader(bytes);
  if (read.kind === 'invalid') return refuse(`This is no GGUF file that can be read: ${read.message}.`);
  if (read.kind === 'more') {
    const message = `The header is longer than the ${bytes.byteLength} bytes that were read.`;
    return {
      own: null,
      more: read.bytes,
      findings: [finding('error', 'model-header-unreadable', message, { field: 'facts' })],
    };
  }
  const architecture = read.header.metadata.get('general.architecture');
  if (typeof architecture !== 'string') return refuse('The header has no general.architecture.');
  return build(read.header, new Keys(read.header.metadata, architecture));
}
