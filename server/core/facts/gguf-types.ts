import table from './gguf-types.json';

/** One GGUF file type. Null: nobody published the figure. */
export interface GgufType {
  type: string;
  bitsPerWeight: number;
  /** Change of wikitext2 perplexity against F16, Llama-3-8B, percent. */
  perplexityChangePercent: number | null;
  /** Mean KL divergence from F16, same model, nats. */
  klDivergence: number | null;
}

/** Targets of llama-quantize that the quantization node offers, most bits first. */
export const GGUF_QUANTIZATION_TYPES = [
  'Q8_0',
  'Q6_K',
  'Q5_K_M',
  'Q5_K_S',
  'Q5_1',
  'Q5_0',
  'Q4_K_M',
  'Q4_K_S',
  'Q4_1',
  'Q4_0',
  'IQ4_NL',
  'IQ4_XS',
  'MXFP4_MOE',
  'Q3_K_L',
  'Q3_K_M',
  'Q3_K_S',
  'IQ3_M',
  'IQ3_S',
  'IQ3_XS',
  'IQ3_XXS',
  'Q2_K',
  'Q2_K_S',
  'IQ2_M',
  'IQ2_S',
  'IQ2_XS',
  'IQ2_XXS',
  'IQ1_M',
  'IQ1_S',
] as const;
/**
 * Types that llama-quantize makes with an importance matrix only (src/llama-quant.cpp: every IQ1, IQ2 and IQ3_XXS tensor,
 * and Q2_K_S). IQ3_XS has IQ3_XXS tensors among its own: tried with build 0.4.0, it stops without one.
 */
export const IMATRIX_TYPES: readonly GgufQuantizationType[] = [
  'IQ3_XS',
  'IQ3_XXS',
  'Q2_K_S',
  'IQ2_M',
  'IQ2_S',
  'IQ2_XS',
  'IQ2_XXS',
  'IQ1_M',
  'IQ1_S',
];

export type GgufQuantizationType = (typeof GGUF_QUANTIZATION_TYPES)[number];

const BY_TYPE: ReadonlyMap<string, GgufType> = new Map(table.types.map((row): [string, GgufType] => [row.type, row]));

export const findGgufType = (type: string): GgufType | null => BY_TYPE.get(type) ?? null;
