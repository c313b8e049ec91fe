import type { RuleContext } from '../rule';
import type { Fields } from './arguments';
import type { Namespaces } from './namespaces';
import { onnxNamespaces } from './onnx-namespaces';
import { tensorrtNamespaces } from './tensorrt-namespaces';

/** Transformers: loading, generation and the server, from the arguments of `transformers serve`. */
function transformersNamespaces(ctx: RuleContext, arg: Fields): Namespaces {
  const quantization = arg.quantization ?? null;
  const isFourBit = quantization === 'bnb-4bit';
  return {
    cfg: {
      attn_implementation: arg.attn_implementation ?? null,
      dtype: arg.dtype ?? null,
      load_in_4bit: isFourBit ? true : null,
      load_in_8bit: quantization === 'bnb-8bit' ? true : null,
      // The 4-bit weights are multiplied in the dtype of the model.
      bnb_4bit_compute_dtype: isFourBit ? (ctx.value('computeDtype') ?? 'bfloat16') : null,
    },
    gen: { num_beams: ctx.asked('beams')?.value ?? null },
    serve: { continuous_batching: arg.continuous_batching ?? null },
  };
}

/** Namespaces that only one engine has, beside those that all share. */
export function engineNamespaces(ctx: RuleContext, arg: Fields): Namespaces {
  switch (ctx.engine.id) {
    case 'tensorrt-llm':
      return tensorrtNamespaces(ctx, arg);
    case 'onnxruntime-genai':
      return onnxNamespaces(ctx, arg);
    case 'transformers':
      return transformersNamespaces(ctx, arg);
    default:
      return {};
  }
}
