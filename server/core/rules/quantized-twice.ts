import { partOf } from '../facts/model-facts';
import { judged, placeOf } from './judge';
import type { Rule } from './rule';

export const quantizedTwice: Rule = {
  id: 'quantized-twice',
  summary: 'a checkpoint that is quantized already cannot be quantized at load',
  source:
    'vLLM vllm/config/model.py _verify_quantization; SGLang srt/configs/model_config.py; llama.cpp src/llama-quant.cpp',
  check(ctx) {
    return ctx.checkpoints.flatMap((checkpoint) => {
      const model = ctx.models[checkpoint.scope];
      const own = partOf(model?.facts?.quantization ?? null);
      if (own === null || model === undefined || checkpoint.repo !== model.facts?.repo) return [];
      if (checkpoint.source === 'checkpoint') return [];
      const plain = `${model.id} is published in ${own.method}${own.blockSize === null ? '' : ` with blocks of ${own.blockSize}`}`;
      const how = checkpoint.source === 'online' ? 'the engine cannot make' : 'a recipe would make';
      const message = `${plain}; ${how} ${checkpoint.format.split(':')[1]} of it only by way of a 16-bit copy, and the loss adds up. Name a checkpoint that exists.`;
      const place = placeOf(ctx, 'weightsFormat');
      const where = checkpoint.scope === 'target' && place.nodeId !== null ? place : { nodeId: checkpoint.nodeId };
      return [judged(this, checkpoint.source === 'online' ? 'error' : 'warning', message, where)];
    });
  },
};
