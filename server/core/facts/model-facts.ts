import { z } from 'zod';

const count = z.number().int().positive();

/** What is known of a model. A fact that nobody recorded is null, never a guess. */
export const modelFactsSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Hugging Face repository, or `bundled:ID` for the demo models in this repository. */
  repo: z.string(),
  architecture: z.enum(['dense', 'moe', 'hybrid']),
  paramsTotal: count.nullable(),
  paramsActive: count.nullable(),
  /** Parameters of the input embedding (not read by a decode step unless tied). */
  paramsEmbedding: count.nullable(),
  layers: count,
  hidden: count,
  heads: count,
  kvHeads: count.nullable(),
  headDim: count.nullable(),
  ffn: count.nullable(),
  vocab: count,
  /** Longest sequence that the model was made for, tokens. */
  maxTokens: count.nullable(),
  tiedEmbeddings: z.boolean().nullable(),
  slidingWindowTokens: count.nullable(),
  /** Models of one family share their tokenizer: a draft must come from the target's. */
  tokenizerFamily: z.string(),
  kvBytesPerTokenBf16: count.nullable(),
  /** Formats that exist without a conversion, best first, e.g. `gguf:F16`, `safetensors:bfloat16`. */
  formats: z.array(z.string()).min(1),
  /** Container or scheme (`GGUF`, `AWQ`, …) → repositories that hold such a checkpoint, best known first. */
  quantizedRepos: z.record(z.string(), z.array(z.string()).min(1)),
  /** Repositories that people use as a draft for this model. */
  draftModels: z.array(z.string()),
  licence: z.string().nullable(),
  source: z.string(),
});
export type ModelFacts = Readonly<z.infer<typeof modelFactsSchema>>;
