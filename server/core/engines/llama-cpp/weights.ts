import type { Scope, SettingValues } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { arg, args, caution, inTarget, isWeightsScope, several, unsupported } from '../lower';
import { ARG_CPP, EMBEDDED, isEmbedded, SERVER_README } from './sources';

function lowerWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (!isWeightsScope(scope)) return unsupported(`llama.cpp loads no weights for the scope ${scope}`, SERVER_README);
  if (!format.startsWith('gguf:')) {
    return unsupported(
      `llama.cpp loads GGUF files only, not ${format}: convert the checkpoint or add a GGUF quantization`,
      'llama.cpp b10573, README and convert_hf_to_gguf.py',
      'vllm',
    );
  }
  const checkpoint = ctx.checkpoint(scope);
  if (checkpoint === null) return unsupported(`no file is known for ${format} of the ${scope} model`, SERVER_README);
  if (isEmbedded(ctx) && checkpoint.recipe?.options?.imatrix !== undefined) {
    return unsupported('the embedded quantizer takes no importance matrix: take the runtime llama-server', EMBEDDED);
  }
  return arg(scope === 'target' ? '--model' : '--model-draft', checkpoint.fileName, checkpoint.format);
}

/** A pruned file is loaded as any other; zeros in it are multiplied. */
function lowerSparsity(sparsity: SettingValues['weightsSparsity'], _ctx: LoweringContext, scope: Scope): Lowered {
  if (!isWeightsScope(scope)) return unsupported(`llama.cpp loads no weights for the scope ${scope}`, SERVER_README);
  const loaded: Lowered = { kind: 'carried', by: 'weightsFormat' };
  if (sparsity === 'structured') return loaded;
  return several(loaded, caution('it has no sparse kernels: pruned weights run dense, no faster, no smaller', ARG_CPP));
}

function lowerAdapters(adapters: SettingValues['loraAdapters'], ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) return unsupported('the embedded engine loads no adapters', EMBEDDED);
  const odd = adapters.find(({ source }) => !source.toLowerCase().endsWith('.gguf') || source.includes(','));
  if (odd !== undefined) {
    return unsupported(
      `llama-server loads adapters from GGUF files on the worker, not from ${odd.source}: make one with convert_lora_to_gguf.py`,
      'llama.cpp b10573, convert_lora_to_gguf.py',
      'vllm',
    );
  }
  const numbers = adapters.map(({ name }, index) => `${index} = ${name}`).join(', ');
  return several(
    args(
      { flag: '--lora', value: adapters.map(({ source }) => source).join(','), note: numbers },
      { flag: '--lora-init-without-apply', value: null, note: 'a request applies them, not the start' },
    ),
    caution(`requests name an adapter by its number (${numbers}), in the field "lora"`, SERVER_README),
  );
}

const anyRank = (name: 'loraMaxRank' | 'loraMaxActive', message: string) =>
  inTarget(name, SERVER_README, (_: number, ctx: LoweringContext) =>
    ctx.value('loraAdapters') === null
      ? unsupported(`${name} means nothing without adapters`, SERVER_README)
      : caution(message, SERVER_README),
  );

export const llamaCppWeights = {
  weightsFormat: lowerWeights,
  weightsSparsity: lowerSparsity,
  computeDtype: {
    unsupported:
      'the GGUF file says how its tensors are stored, and each backend what it computes them in; no flag changes that',
    source: ARG_CPP,
  },
  loraAdapters: inTarget('loraAdapters', SERVER_README, lowerAdapters),
  loraMaxRank: anyRank('loraMaxRank', 'nothing to set: it takes an adapter of any rank'),
  loraMaxActive: anyRank('loraMaxActive', 'nothing to set: all loaded adapters may be active at once'),
} satisfies Partial<LoweringTable>;
