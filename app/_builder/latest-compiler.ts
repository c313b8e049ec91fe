import type { Compiled } from '@/server/core/compile/compiled';
import type { Pipeline } from '@/server/core/pipeline/document';
import type { CompileReply, CompileRequest } from './compile-request';

/** The part of a web worker that the compiler needs. */
export interface CompilePort {
  postMessage(request: CompileRequest): void;
  onmessage: ((event: { data: CompileReply }) => void) | null;
}

export interface LatestCompiler {
  compile(pipeline: Pipeline): void;
}

interface Handlers {
  onCompiled(compiled: Compiled): void;
  onFailure(message: string): void;
}

/**
 * Compiles the latest edit: one request is under way at a time, edits in between are skipped, and an answer that a
 * newer edit has overtaken is still shown only if nothing newer waits.
 */
export function createLatestCompiler(port: CompilePort, handlers: Handlers): LatestCompiler {
  let seq = 0;
  let busy = false;
  let waiting: Pipeline | null = null;

  const send = (pipeline: Pipeline) => {
    seq += 1;
    busy = true;
    port.postMessage({ seq, pipeline });
  };
  port.onmessage = ({ data }) => {
    if (data.seq !== seq) return;
    busy = false;
    if (waiting) {
      const next = waiting;
      waiting = null;
      send(next);
      return;
    }
    if ('compiled' in data) handlers.onCompiled(data.compiled);
    else handlers.onFailure(data.failure);
  };
  return {
    compile(pipeline) {
      if (busy) waiting = pipeline;
      else send(pipeline);
    },
  };
}
