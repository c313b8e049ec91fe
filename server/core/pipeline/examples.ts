import type { Pipeline } from './document';
import demo from './examples/demo.json';
import { parsePipeline } from './parse';

export interface Example {
  id: string;
  title: string;
  summary: string;
  /** File name in `examples/`. */
  file: string;
  pipeline: Pipeline;
}

/** Pipelines to start from; `demo` is the one that a newcomer opens first. */
export const EXAMPLES: readonly Example[] = [
  {
    id: 'demo',
    title: 'Demo: five ways to serve a small model',
    summary:
      'The bundled demo model on llama.cpp in this machine: F16 as the baseline against quantized weights, a quantized KV cache with parallel sequences, no prefix cache, and a draft model.',
    file: 'demo.json',
    pipeline: parsePipeline(demo).pipeline,
  },
];
