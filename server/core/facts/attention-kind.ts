import { type ModelFacts, partOf } from './model-facts';

export interface AttentionSummary {
  kind: 'MHA' | 'MQA' | 'GQA' | 'MLA';
  /** How often smaller the cache is than with keys and values for every query head; 1 for MHA. */
  cacheFactor: number | null;
  /** What it means for a deployment, in a sentence or two. */
  advice: string;
}

type Shape = Pick<ModelFacts, 'heads' | 'kvHeads' | 'headDim' | 'latentAttention'>;

/** Which attention a model was trained with, and what follows for its cache; null where nobody recorded its KV heads. */
export function attentionOf({ heads, kvHeads, headDim, latentAttention }: Shape): AttentionSummary | null {
  const latent = partOf(latentAttention);
  if (latent !== null) {
    const full = heads * (latent.nopeHeadDim + latent.ropeHeadDim + latent.valueHeadDim);
    const advice =
      'One latent stands for the keys and values of all heads. Tensor parallelism copies it to every device; attention data parallelism keeps one each.';
    return { kind: 'MLA', cacheFactor: full / (latent.kvRank + latent.ropeHeadDim), advice };
  }
  if (kvHeads === null || headDim === null) return null;
  const cacheFactor = heads / kvHeads;
  if (kvHeads === heads) {
    const advice =
      'Every query head has keys and values of its own: at long contexts the cache outweighs the weights. Quantize the cache, or take a model with grouped heads.';
    return { kind: 'MHA', cacheFactor, advice };
  }
  if (kvHeads === 1) {
    const advice = 'All query heads share one pair of keys and values; tensor parallelism copies it to every device.';
    return { kind: 'MQA', cacheFactor, advice };
  }
  const advice = `${heads} query heads share ${kvHeads} pairs of keys and values; on more than ${kvHeads} devices tensor parallelism copies them.`;
  return { kind: 'GQA', cacheFactor, advice };
}
