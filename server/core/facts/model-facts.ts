/** What is known of a model. A fact that nobody recorded is null, never a guess. */
export interface ModelFacts {
  id: string;
  title: string;
  /** Hugging Face repository, or `bundled:ID` for the demo models in this repository. */
  repo: string;
  aliases: readonly string[];
  architecture: 'dense' | 'moe' | 'hybrid';
  paramsTotal: number;
  paramsActive: number;
  /** Parameters of the input embedding (not read by a decode step unless tied). */
  paramsEmbedding: number | null;
  layers: number;
  hidden: number;
  heads: number;
  kvHeads: number | null;
  headDim: number | null;
  ffn: number | null;
  vocab: number;
  /** Longest sequence that the model was made for, tokens. */
  maxTokens: number | null;
  tiedEmbeddings: boolean | null;
  slidingWindowTokens: number | null;
  /** Models of one family share their tokenizer: a draft must come from the target's. */
  tokenizerFamily: string;
  kvBytesPerTokenBf16: number | null;
  /** Formats that exist without a conversion, best first, e.g. `gguf:F16`, `safetensors:bf16`. */
  formats: readonly string[];
  /** Container or scheme (`GGUF`, `AWQ`, …) → repository that holds such a checkpoint. */
  quantizedRepos: Readonly<Record<string, string>>;
  /** Repositories that people use as a draft for this model. */
  draftModels: readonly string[];
  licence: string | null;
  source: string;
}
