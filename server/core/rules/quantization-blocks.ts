import type { Finding } from '../plan/finding';
import type { Checkpoint } from '../plan/plan';
import { isLlamaCpp, judged, notChecked } from './judge';
import { rowWidths } from './row-widths';
import type { Rule, RuleContext } from './rule';

/** Types whose blocks hold 256 weights of one row; all other block types hold 32. */
const SUPER_BLOCK = /^(Q[2-6]_K(_[SML])?|IQ[1-3]_\w+|IQ4_XS|TQ[12]_0)$/;
const BLOCK = /^(Q[458]_[01]|IQ4_NL|MXFP4_MOE)$/;

export const quantizationBlocks: Rule = {
  id: 'quantization-blocks',
  summary: 'rows must divide into the blocks of the type',
  source: 'llama.cpp b10573, src/llama-quant.cpp',
  check(ctx) {
    return isLlamaCpp(ctx) ? ctx.checkpoints.flatMap((checkpoint) => judgeCheckpoint(ctx, checkpoint)) : [];
  },
};

function judgeCheckpoint(ctx: RuleContext, checkpoint: Checkpoint): Finding[] {
  const type = checkpoint.format.replace(/^gguf:/, '');
  const block = SUPER_BLOCK.test(type) ? 256 : BLOCK.test(type) ? 32 : null;
  const model = ctx.models[checkpoint.scope];
  if (block === null || model === undefined) return [];
  const place = { nodeId: checkpoint.nodeId, field: 'type' };
  const widths = rowWidths(model.facts);
  if (widths === null) return [notChecked(quantizationBlocks, `row widths of ${model.id}`, place)];
  const odd = widths.filter((width) => width % block !== 0);
  if (odd.length === 0) return [];
  const what = `${model.id} has rows of ${odd.join(', ')}, which ${type}'s blocks of ${block} do not divide`;
  return block === 256
    ? [
        judged(
          quantizationBlocks,
          'info',
          `${what}: those tensors fall back to blocks of 32, the file gets larger.`,
          place,
        ),
      ]
    : [judged(quantizationBlocks, 'error', `${what}: it cannot be quantized to it.`, place)];
}
