/** `gguf` of `gguf:Q4_K_M`. */
export const containerOf = (format: string): string => format.split(':', 1)[0] ?? format;
/** `Q4_K_M` of `gguf:Q4_K_M`. */
export const typeOf = (format: string): string => format.slice(containerOf(format).length + 1);

const UNQUANTIZED = ['F16', 'F32', 'BF16', 'bf16', 'bfloat16', 'float16', 'float32', 'unknown'];

/** Weights that a quantizer may start from; a format that nobody knows is taken for one. */
export const isUnquantized = (format: string): boolean => UNQUANTIZED.includes(typeOf(format));
