import { judged } from './judge';
import type { Rule } from './rule';

export const ggufConversion: Rule = {
  id: 'gguf-conversion',
  summary: 'a GGUF file made from another container needs a conversion first',
  source: 'llama.cpp convert_hf_to_gguf.py; tools/quantize/README.md',
  check(ctx) {
    return ctx.checkpoints.flatMap((checkpoint) => {
      const from = checkpoint.recipe?.fromFormat ?? '';
      if (checkpoint.recipe === null || from.startsWith('gguf:') || !checkpoint.format.startsWith('gguf:')) return [];
      const model = ctx.models[checkpoint.scope];
      const repo = model?.facts?.quantizedRepos.GGUF?.[0];
      const message = `${checkpoint.fileName} is made from ${from}: the worker needs convert_hf_to_gguf.py (Python) to run it.`;
      const node = ctx.nodes.find((entry) => entry.id === checkpoint.nodeId && entry.type === 'gguf-quantization');
      const fix =
        repo === undefined || node === undefined
          ? null
          : {
              label: `Download it from ${repo}`,
              edits: [{ op: 'set-param' as const, nodeId: node.id, field: 'source', value: 'checkpoint' }],
            };
      return [judged(this, 'warning', message, { nodeId: checkpoint.nodeId, field: node ? 'source' : null, fix })];
    });
  },
};
