import { type ModelFacts, partOf } from './model-facts';

type Shape = Pick<ModelFacts, 'layers' | 'kvHeads' | 'headDim' | 'latentAttention' | 'linearAttention'>;

/** Layers that keep keys and values; null where nobody recorded whether some keep a constant state instead. */
function cachingLayers({ layers, linearAttention }: Pick<Shape, 'layers' | 'linearAttention'>): number | null {
  return linearAttention === null ? null : layers - (partOf(linearAttention)?.layers ?? 0);
}

/**
 * Elements that one token keeps in one caching layer: keys and values of every KV head, or the latent and its rotary
 * part. Null where a fact is missing. (facts: notes.md 2)
 */
function kvElementsPerLayer({ kvHeads, headDim, latentAttention }: Omit<Shape, 'layers'>): number | null {
  const latent = partOf(latentAttention);
  if (latent !== null) return latent.kvRank + latent.ropeHeadDim;
  return kvHeads === null || headDim === null ? null : 2 * kvHeads * headDim;
}

/** Bytes of one token in every caching layer at two bytes an element, windows not counted. */
export function kvBytesPerToken(shape: Shape): number | null {
  const [layers, elements] = [cachingLayers(shape), kvElementsPerLayer(shape)];
  return layers === null || elements === null ? null : layers * elements * 2;
}

/** How often the cache of one sequence is kept when `ranks` devices share the model: KV heads do not split further. */
export function kvCopies({ kvHeads, latentAttention }: Omit<Shape, 'layers'>, ranks: number): number | null {
  if (partOf(latentAttention) !== null) return ranks;
  return kvHeads === null ? null : Math.max(1, ranks / kvHeads);
}

/**
 * Elements that a sequence of `tokens` keeps in all layers. Window layers hold at most their window, where the engine
 * allocates them apart; else every layer is full. Null where a fact is missing.
 */
export function kvElementsOfSequence(facts: ModelFacts, tokens: number, keepsWindows: boolean): number | null {
  const [layers, elements] = [cachingLayers(facts), kvElementsPerLayer(facts)];
  if (layers === null || elements === null) return null;
  const window = keepsWindows ? partOf(facts.window) : null;
  if (window === null) return layers * elements * tokens;
  const sliding = Math.min(window.slidingLayers, layers);
  return elements * (sliding * Math.min(tokens, window.tokens) + (layers - sliding) * tokens);
}
