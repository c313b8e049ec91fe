import { judged } from './judge';
import type { Rule } from './rule';

export const weightsFormatEngine: Rule = {
  id: 'weights-format-engine',
  summary: 'the engine must read the checkpoint',
  source: 'llama.cpp README (GGUF only); vLLM docs/features/quantization/gguf.md (plugin)',
  check(ctx) {
    if (ctx.engine.weightFormats.length === 0) return [];
    return ctx.checkpoints.flatMap((checkpoint) => {
      const container = checkpoint.format.split(':')[0] ?? checkpoint.format;
      if (ctx.engine.weightFormats.includes(container)) return [];
      const other = container === 'gguf' ? { id: 'llama.cpp', title: 'llama.cpp' } : { id: 'vllm', title: 'vLLM' };
      const message = `${ctx.engine.title} does not read ${container} (${checkpoint.format}, ${checkpoint.scope} model).`;
      return [
        judged(this, 'error', message, {
          nodeId: checkpoint.nodeId,
          fix: {
            label: `Run it on ${other.title}`,
            edits: [
              { op: 'set-param', nodeId: ctx.engineNodeId, field: 'engine', value: other.id },
              { op: 'set-param', nodeId: ctx.engineNodeId, field: 'runtime', value: null },
              { op: 'set-param', nodeId: ctx.engineNodeId, field: 'version', value: null },
            ],
          },
        }),
      ];
    });
  },
};
