import { type ModelFacts, partOf } from './model-facts';

type Shape = Pick<
  ModelFacts,
  | 'layers'
  | 'hidden'
  | 'heads'
  | 'kvHeads'
  | 'headDim'
  | 'ffn'
  | 'isGatedMlp'
  | 'vocab'
  | 'tiedEmbeddings'
  | 'latentAttention'
  | 'experts'
  | 'linearAttention'
>;

/** Parameters of one attention layer; null where a fact is missing. Biases and norms are left out: under 0.1 %. */
function attentionParameters(shape: Shape): number | null {
  const { hidden, heads, kvHeads, headDim } = shape;
  const latent = partOf(shape.latentAttention);
  if (latent !== null) {
    const { queryRank, kvRank, nopeHeadDim, ropeHeadDim, valueHeadDim } = latent;
    const queryWidth = heads * (nopeHeadDim + ropeHeadDim);
    const query = queryRank === 0 ? hidden * queryWidth : hidden * queryRank + queryRank * queryWidth;
    const keys = hidden * (kvRank + ropeHeadDim) + kvRank * heads * (nopeHeadDim + valueHeadDim);
    return query + keys + heads * valueHeadDim * hidden;
  }
  return kvHeads === null || headDim === null ? null : 2 * hidden * headDim * (heads + kvHeads);
}

/** Parameters of the MLPs of all layers, and how many of them a token passes. */
function mlpParameters(shape: Shape): { total: number; active: number } | null {
  const { hidden, layers, ffn, isGatedMlp } = shape;
  if (isGatedMlp === null || shape.experts === null) return null;
  const matrices = isGatedMlp ? 3 : 2;
  const experts = partOf(shape.experts);
  if (experts === null) {
    const all = ffn === null ? null : layers * matrices * hidden * ffn;
    return all === null ? null : { total: all, active: all };
  }
  const { total, perToken, ffn: width, sharedFfn, moeLayers, denseLayers } = experts;
  if (denseLayers > 0 && ffn === null) return null;
  const dense = denseLayers * matrices * hidden * (ffn ?? 0);
  const shared = matrices * hidden * (sharedFfn ?? 0) + hidden * total;
  const each = matrices * hidden * width;
  return {
    total: dense + moeLayers * (shared + total * each),
    active: dense + moeLayers * (shared + perToken * each),
  };
}

/**
 * Parameters from the dimensions: embedding, head, attention, MLP or experts. Null where a fact is missing, and for
 * models with linear layers, whose shapes differ too much.
 */
export function countParameters(shape: Shape): { total: number; active: number; embedding: number } | null {
  const attention = attentionParameters(shape);
  const mlp = mlpParameters(shape);
  if (shape.linearAttention !== 'none' || shape.tiedEmbeddings === null || attention === null || mlp === null)
    return null;
  const embedding = shape.vocab * shape.hidden;
  const shared = embedding * (shape.tiedEmbeddings ? 1 : 2) + shape.layers * attention;
  return { total: shared + mlp.total, active: shared + mlp.active, embedding };
}
