import type { TensorFacts } from './tensor-facts';

/** llama.cpp's names of file types where they are not simply the type's own. */
const FILE_TYPES: Record<string, string> = {
  'all F32': 'F32',
  'Q2_K - Medium': 'Q2_K',
  'Q2_K - Small': 'Q2_K_S',
  'Q3_K - Small': 'Q3_K_S',
  'Q3_K - Medium': 'Q3_K_M',
  'Q3_K - Large': 'Q3_K_L',
  'Q4_K - Small': 'Q4_K_S',
  'Q4_K - Medium': 'Q4_K_M',
  'Q5_K - Small': 'Q5_K_S',
  'Q5_K - Medium': 'Q5_K_M',
  'IQ4_NL - 4.5 bpw': 'IQ4_NL',
  'IQ4_XS - 4.25 bpw': 'IQ4_XS',
};

/** "Q4_K - Medium" → "gguf:Q4_K_M". */
export function formatOfFileType(fileType: string): string {
  const plain = fileType.replace(/^\(guessed\) |^mostly | \(guessed\)$/g, '').trim();
  return `gguf:${FILE_TYPES[plain] ?? plain}`;
}

/** Types with blocks of 256 weights: they hold no row of another length. */
const SUPER_BLOCK = /^gguf:(Q\d_K(_[SML])?|IQ4_XS|IQ[123]_\w+)$/;

/** The format with what llama.cpp put in its place where rows do not divide by 256. */
export function heldFormat(format: string, tensors: TensorFacts): string {
  if (!SUPER_BLOCK.test(format) || tensors.unevenRows.length === 0) return format;
  const types = [...new Set(tensors.unevenRows.map((t) => t.type))].sort().join(', ');
  const rows = [...new Set(tensors.unevenRows.map((t) => t.rowLength))].sort((a, b) => a - b).join(', ');
  return `${format}, but ${tensors.unevenRows.length} of ${tensors.matrices} matrices as ${types}: rows of ${rows} do not divide by 256`;
}

/** Weight types that can be made from F16 without an importance matrix → llama_ftype (llama.h). */
export const QUANTIZATION_TYPES: Record<string, number> = {
  F32: 0,
  BF16: 32,
  Q4_0: 2,
  Q4_1: 3,
  Q8_0: 7,
  Q5_0: 8,
  Q5_1: 9,
  Q2_K: 10,
  Q3_K_S: 11,
  Q3_K_M: 12,
  Q3_K_L: 13,
  Q4_K_S: 14,
  Q4_K_M: 15,
  Q5_K_S: 16,
  Q5_K_M: 17,
  Q6_K: 18,
  IQ4_NL: 25,
  IQ3_S: 26,
  IQ3_M: 27,
  IQ4_XS: 30,
  MXFP4_MOE: 38,
};
