import type { WeightScheme } from '../plan/settings';

export interface RecipeTool {
  title: string;
  /** What it writes: schemes of `safetensors:` formats; `gguf` for every GGUF type, `pruned` for fewer or zeroed weights. */
  makes: readonly (WeightScheme | 'gguf' | 'pruned')[];
  source: string;
}

/** Tools that turn unquantized weights into what a node asks for, by the id in `recipe.tool`. */
export const RECIPE_TOOLS = {
  'llama-quantize': {
    title: 'llama-quantize',
    makes: ['gguf'],
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/quantize/README.md',
  },
  'llm-compressor': {
    title: 'LLM Compressor',
    makes: ['int8-w8a8', 'fp8', 'fp8-static', 'fp8-block', 'awq-int4', 'w4a16', 'nvfp4', 'mxfp4'],
    source: 'https://docs.vllm.ai/projects/llm-compressor/en/latest/',
  },
  modelopt: {
    title: 'NVIDIA ModelOpt',
    makes: ['int8-w8a8', 'fp8-static', 'fp8-block', 'awq-int4', 'nvfp4', 'mxfp4'],
    source: 'https://github.com/NVIDIA/Model-Optimizer/tree/main/examples/llm_ptq',
  },
  autoawq: { title: 'AutoAWQ', makes: ['awq-int4'], source: 'https://github.com/casper-hansen/AutoAWQ' },
  gptqmodel: {
    title: 'GPTQModel',
    makes: ['gptq-int4', 'gptq-int8', 'awq-int4'],
    source: 'https://github.com/ModelCloud/GPTQModel',
  },
  'auto-round': { title: 'AutoRound', makes: ['gptq-int4', 'w4a16'], source: 'https://github.com/intel/auto-round' },
  'lmdeploy-lite': {
    title: 'lmdeploy lite',
    makes: ['awq-int4', 'gptq-int4', 'int8-w8a8', 'fp8'],
    source: 'https://lmdeploy.readthedocs.io/en/latest/quantization/w4a16.html',
  },
  // Its NF4 is an ONNX operator, and `olive quantize` prunes nothing: v0.13.0, olive/cli/quantize.py.
  olive: {
    title: 'Olive',
    makes: ['awq-int4', 'gptq-int4', 'w4a16'],
    source: 'https://microsoft.github.io/Olive/',
  },
  bitsandbytes: {
    title: 'Transformers with bitsandbytes',
    makes: ['bnb-nf4', 'bnb-int8'],
    source: 'https://huggingface.co/docs/transformers/quantization/bitsandbytes',
  },
  'layer-drop': {
    title: 'Transformers, layers taken out',
    makes: ['pruned'],
    source: 'https://arxiv.org/abs/2403.17887',
  },
  sparsegpt: {
    title: 'SparseGPT in LLM Compressor',
    makes: ['pruned'],
    source: 'https://arxiv.org/abs/2301.00774',
  },
} as const satisfies Readonly<Record<string, RecipeTool>>;

export type RecipeToolId = keyof typeof RECIPE_TOOLS;
export const RECIPE_TOOL_IDS = Object.keys(RECIPE_TOOLS) as RecipeToolId[];
