import { type LlamaModel, TokenBias } from 'node-llama-cpp';
import type { GenerateJob } from './job';
import { mix32 } from './random';

/** Drafts come from the 20 likeliest tokens: any proposal distribution keeps speculative sampling exact, a short one is cheap. */
const DRAFT_TOP_K = 20;

/**
 * Leaves the top-k step out. Its 0 also means all tokens, but sorts them first, a tenth of a step's time; undefined
 * would be node-llama-cpp's default of 40. Its types do not know the null that its code passes over.
 */
const WHOLE_VOCABULARY = null as unknown as number;

export interface SampleOptions {
  temperature: number;
  topK: number;
  topP: number;
  minP: number;
  seed: number;
  tokenBias?: TokenBias;
}

/**
 * How token number `index` of a request is drawn. The seed of each place is derived from the request's, so that
 * neither batching nor prompt lookup changes what a seed gives.
 */
export function sampleOptions(job: GenerateJob, index: number, noEnd: TokenBias): SampleOptions {
  const { temperature, topK, topP, minP, seed } = job.sampling;
  const options: SampleOptions = { temperature, topK: topK || WHOLE_VOCABULARY, topP, minP, seed: mix32(seed, index) };
  if (job.ignoreEos || index < job.minTokens) options.tokenBias = noEnd;
  return options;
}

/** The same for the draft model's proposal; its seeds are independent of the target's. */
export function draftOptions(job: GenerateJob, index: number, noEnd: TokenBias): SampleOptions {
  const options = sampleOptions(job, index, noEnd);
  if (options.temperature === 0) return options;
  return {
    ...options,
    topK: Math.min(job.sampling.topK || DRAFT_TOP_K, DRAFT_TOP_K),
    seed: mix32(options.seed, 0x5eed),
  };
}

/**
 * A bias under which no token that ends generation is ever chosen. `TokenBias.set` passes over such tokens without a
 * word (node-llama-cpp 3.21), so they go straight into the map that it keeps; the service tests see that it holds.
 */
export function noEndBias(model: LlamaModel): TokenBias {
  const bias = TokenBias.for(model);
  const { _biases: logits } = bias as unknown as { _biases?: unknown };
  if (!(logits instanceof Map))
    throw new Error('this node-llama-cpp keeps token biases elsewhere: ignore_eos cannot hold');
  for (const token of model.iterateAllTokens())
    if (model.isEogToken(token)) logits.set(token, Number.NEGATIVE_INFINITY);
  return bias;
}
