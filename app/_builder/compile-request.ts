import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import type { Compiled } from '@/server/core/compile/compiled';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { RULES } from '@/server/core/rules/index';

export interface CompileRequest {
  seq: number;
  pipeline: Pipeline;
}
export type CompileReply = { seq: number; compiled: Compiled } | { seq: number; failure: string };

/** The one call of the compiler in the browser, by the web worker or, in tests, directly. */
export function answerCompile({ seq, pipeline }: CompileRequest): CompileReply {
  try {
    return { seq, compiled: compilePipeline(pipeline, { engines: ENGINES, rules: RULES }) };
  } catch (error) {
    return { seq, failure: error instanceof Error ? error.message : String(error) };
  }
}
