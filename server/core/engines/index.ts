import { endpoint } from './endpoint';
import type { Engine } from './engine';
import { llamaCpp } from './llama-cpp';
import { lmdeploy } from './lmdeploy';
import { onnxruntimeGenai } from './onnxruntime-genai';
import { sglang } from './sglang';
import { tensorrtLlm } from './tensorrt-llm';
import { tgi } from './tgi';
import { transformers } from './transformers';
import { vllm } from './vllm';

/** Every engine; the first one is the default of a new deployment. */
export const ENGINES: readonly Engine[] = [
  llamaCpp,
  vllm,
  sglang,
  tensorrtLlm,
  tgi,
  lmdeploy,
  transformers,
  onnxruntimeGenai,
  endpoint,
];
