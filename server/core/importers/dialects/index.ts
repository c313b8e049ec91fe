import type { Dialect } from './dialect';
import { llamaCpp } from './llama-cpp';
import { lmdeploy } from './lmdeploy';
import { onnxruntimeGenai } from './onnxruntime-genai';
import { sglang } from './sglang';
import { tensorrtLlm } from './tensorrt-llm';
import { tgi } from './tgi';
import { transformers } from './transformers';
import { vllm } from './vllm';

/** How every engine is written down. */
export const DIALECTS: readonly Dialect[] = [
  vllm,
  sglang,
  tensorrtLlm,
  llamaCpp,
  tgi,
  lmdeploy,
  transformers,
  onnxruntimeGenai,
];
