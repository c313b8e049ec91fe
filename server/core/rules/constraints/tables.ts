import llamaCpp from './data/llama-cpp.json';
import lmdeploy from './data/lmdeploy.json';
import onnxruntimeGenai from './data/onnxruntime-genai.json';
import sglang from './data/sglang.json';
import tensorrtLlm from './data/tensorrt-llm.json';
import tgi from './data/tgi.json';
import transformers from './data/transformers.json';
import vllm from './data/vllm.json';
import type { Expression } from './expression';

export const CONSTRAINT_ENGINES = [
  'vllm',
  'sglang',
  'tensorrt-llm',
  'llama.cpp',
  'tgi',
  'onnxruntime-genai',
  'lmdeploy',
  'transformers',
] as const;
export type ConstraintEngine = (typeof CONSTRAINT_ENGINES)[number];

/** Violated only where `if` is true and `then` is false. `level` error: refuse; warning: show; info: note. */
export interface Constraint {
  id: string;
  level: 'error' | 'warning' | 'info';
  reason: string;
  /** File and line of the engine, or the document, that the rule was read from. */
  source: string;
  if: string;
  then: string;
  ifTree: Expression;
  thenTree: Expression;
}

export interface ConstraintTable {
  engine: string;
  source: { repo: string; commit: string };
  /** Version whose source was read. */
  versionRead: string;
  /** Quantization method → lowest compute capability × 10, activation types. */
  quantByMethod: Readonly<Record<string, { min_cc?: number; act_dtypes?: readonly string[] }>>;
  /** Method of the checkpoint → values of `--quantization` that agree with it. */
  acceptedFlags: Readonly<Record<string, readonly string[]>>;
  constraints: readonly Constraint[];
}

// The tables are checked in beside `translate.py`; the tests check their shape, so that no start pays for it.
const table = (json: unknown): ConstraintTable => json as ConstraintTable;

export const CONSTRAINT_TABLES: Readonly<Record<ConstraintEngine, ConstraintTable>> = {
  vllm: table(vllm),
  sglang: table(sglang),
  'tensorrt-llm': table(tensorrtLlm),
  'llama.cpp': table(llamaCpp),
  tgi: table(tgi),
  'onnxruntime-genai': table(onnxruntimeGenai),
  lmdeploy: table(lmdeploy),
  transformers: table(transformers),
};
