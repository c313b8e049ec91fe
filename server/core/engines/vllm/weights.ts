import type { Scope, SettingValues, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { arg, args, caution, inTarget, several, unsupported } from '../lower';
import { isAtLeast } from '../version';
import { readWeightFormat } from '../weight-format';
import { insideDraft } from './inside-speculation';

const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';
const ONLINE_DOCS = 'vLLM @017e9f4448, docs/features/quantization/online.md';
const QUANTIZATION = 'vLLM @017e9f4448, vllm/model_executor/layers/quantization';

/** Value of --quantization by which vLLM makes a scheme from plain weights while it loads. */
const ONLINE: Partial<Record<WeightScheme, string>> = {
  fp8: 'fp8',
  'fp8-block': 'fp8_per_block',
  'int8-weight-only': 'int8_per_channel_weight_only',
  nvfp4: 'nvfp4_per_token',
  mxfp4: 'mxfp4',
  mxfp8: 'mxfp8',
  'bnb-nf4': 'bitsandbytes',
};

const NEEDS_DATA = 'it takes calibration data, or the search of a tool: take a checkpoint or a recipe';
const NOT_ONLINE: Partial<Record<WeightScheme, string>> = {
  'int8-w8a8': NEEDS_DATA,
  'fp8-static': NEEDS_DATA,
  'awq-int4': NEEDS_DATA,
  'gptq-int4': NEEDS_DATA,
  'gptq-int8': NEEDS_DATA,
  w4a16: NEEDS_DATA,
  'bnb-int8': 'at load bitsandbytes makes 4 bits only',
};

const PLUGIN = 'the plugin vllm-bnb-plugin must be installed: bitsandbytes left vLLM in 0.28';
const PLUGIN_SOURCE = 'PR vllm-project/vllm#43529; docs/features/quantization/bnb.md';

/** A scheme that some device refuses whatever the checkpoint. Minimum compute capabilities are rules of the facts. */
function refusedOn(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const { kind, id } = ctx.hardware;
  if (kind === 'cpu' && (scheme === 'nvfp4' || scheme === 'mxfp4' || scheme === 'mxfp8' || scheme.startsWith('bnb'))) {
    return unsupported(`no CPU kernel multiplies ${scheme} weights`, `${QUANTIZATION}: supported hardware`);
  }
  if (vendorOf(ctx.hardware) === 'amd' && scheme === 'int8-weight-only') {
    return unsupported(`${id}: the ROCm platform refuses the method`, 'vLLM @017e9f4448, vllm/platforms/rocm.py');
  }
  return null;
}

function onlineFlag(scheme: WeightScheme | null, type: string, ctx: LoweringContext): string | Lowered {
  const method = scheme === null ? undefined : ONLINE[scheme];
  if (scheme === null || method === undefined) {
    const why = scheme === null ? '' : `: ${NOT_ONLINE[scheme] ?? 'it has no such method'}`;
    return unsupported(`vLLM cannot quantize to ${type} at load${why}`, ONLINE_DOCS);
  }
  if (scheme === 'mxfp4' && !isAtLeast(ctx.version, '0.28')) {
    return unsupported(`vLLM ${ctx.version} cannot quantize to mxfp4 at load (0.28 can)`, ONLINE_DOCS);
  }
  if (vendorOf(ctx.hardware) === 'amd' && scheme === 'nvfp4') {
    return unsupported('the ROCm platform refuses nvfp4_per_token', 'vLLM @017e9f4448, vllm/platforms/rocm.py');
  }
  return method;
}

/** Name under which vLLM finds the weights: a repository, or the folder that a recipe or a worker has. */
export function weightsName({
  repo,
  source,
  fileName,
}: NonNullable<ReturnType<LoweringContext['checkpoint']>>): string {
  return source === 'recipe' || repo.startsWith('bundled:') ? fileName : repo;
}

function lowerTarget(format: string, ctx: LoweringContext): Lowered {
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, ARG_UTILS);
  const { scheme, type } = readWeightFormat(format);
  const refused = scheme === null ? null : refusedOn(scheme, ctx);
  if (refused) return refused;
  const isOnline = checkpoint.source === 'online';
  const online = isOnline ? onlineFlag(scheme, type, ctx) : null;
  if (online !== null && typeof online !== 'string') return online;
  const weights = args(
    { flag: weightsName(checkpoint), value: null, note: checkpoint.format },
    ...(checkpoint.revision === null ? [] : [{ flag: '--revision', value: checkpoint.revision }]),
    ...(online === null ? [] : [{ flag: '--quantization', value: online, note: 'quantized while loading' }]),
  );
  const needsPlugin = (scheme === 'bnb-nf4' || scheme === 'bnb-int8') && isAtLeast(ctx.version, '0.28');
  return needsPlugin ? several(weights, caution(PLUGIN, PLUGIN_SOURCE)) : weights;
}

function lowerWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope !== 'target' && scope !== 'draft') {
    return unsupported(`vLLM loads no weights for the scope ${scope}`, ARG_UTILS);
  }
  if (format.startsWith('gguf:')) {
    const target =
      'vLLM reads GGUF only through the plugin vllm-gguf-plugin (out of tree since about 0.24; single file, slow): use llama.cpp, or a safetensors checkpoint';
    const draft = "the draft's GGUF file needs the plugin vllm-gguf-plugin: take a safetensors checkpoint";
    const source = 'vLLM docs/features/quantization/gguf.md; PR vllm-project/vllm#39612';
    return scope === 'target' ? unsupported(target, source, 'llama.cpp') : unsupported(draft, source);
  }
  if (!format.startsWith('safetensors:')) {
    return unsupported(`vLLM loads safetensors, not ${format}`, 'vLLM @017e9f4448, vllm/config/load.py');
  }
  return scope === 'draft' ? insideDraft(ctx) : lowerTarget(format, ctx);
}

function lowerComputeDtype(dtype: SettingValues['computeDtype'], ctx: LoweringContext): Lowered {
  const capability = capabilityOf(ctx.hardware);
  if (dtype === 'bfloat16' && capability !== null && capability < 80) {
    return unsupported(
      `bfloat16 needs compute capability 8.0; ${describeDevice(ctx.hardware)}`,
      'vLLM @017e9f4448, vllm/platforms/cuda.py, check_if_supports_dtype',
    );
  }
  return arg('--dtype', dtype);
}

const SPARSE_SOURCE = `${QUANTIZATION}/compressed_tensors/compressed_tensors.py`;
const DENSE = {
  unstructured: 'single zeros are multiplied like any number: no faster, no smaller',
  '2:4':
    'its 2:4 kernels were removed: weights saved dense load and run no faster, a checkpoint with a sparsity_config is refused',
} as const;

/** The pruned checkpoint itself is what is loaded; there is no switch. */
function lowerSparsity(sparsity: SettingValues['weightsSparsity'], ctx: LoweringContext, scope: Scope): Lowered {
  const loaded: Lowered = scope === 'draft' ? insideDraft(ctx) : { kind: 'carried', by: 'weightsFormat' };
  if (sparsity === 'structured' || loaded.kind === 'unsupported') return loaded;
  return several(loaded, caution(DENSE[sparsity], SPARSE_SOURCE));
}

export const vllmWeights = {
  weightsFormat: lowerWeights,
  computeDtype: inTarget('computeDtype', ARG_UTILS, lowerComputeDtype),
  weightsSparsity: lowerSparsity,
} satisfies Partial<LoweringTable>;
