import type { LoweringContext } from '../engine';

export const SERVER_README = 'llama.cpp b10573, tools/server/README.md';
export const ARG_CPP = 'llama.cpp b10573, common/arg.cpp';
export const SPECULATIVE = 'llama.cpp b10573, common/speculative.cpp';
export const SERVER_CONTEXT = 'llama.cpp b10573, tools/server/server-context.cpp';
export const CUDA = 'llama.cpp b10573, ggml/src/ggml-cuda/ggml-cuda.cu';
export const EMBEDDED = 'engines/embedded-flags';

export const isEmbedded = (ctx: LoweringContext): boolean => ctx.runtime === 'embedded';
