import type { Scope, SettingValues, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { arg, args, caution, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const SERVE = 'Transformers 5.17.0, transformers/cli/serve.py';
const MANAGER = 'Transformers 5.17.0, transformers/cli/serving/model_manager.py';
const QUANTIZERS = 'Transformers 5.17.0, transformers/quantizers';
const ABSENT = `${SERVE} (absence)`;

/** The static cache of the compiled path and the paged cache of continuous batching exclude each other. */
export const batchesContinuously = (ctx: LoweringContext): boolean =>
  ctx.value('torchCompile') !== 'on' && ctx.value('staticKvCache') !== 'on';

/** Lowest capability × 10 of a scheme; null: no floor recorded. `below`: what happens under it, where it still runs. */
const SCHEMES: Partial<Readonly<Record<WeightScheme, { least: number | null; below: string | null; source: string }>>> =
  {
    'int8-w8a8': { least: 75, below: null, source: `${QUANTIZERS}/quantizer_compressed_tensors.py` },
    fp8: {
      least: 89,
      below: 'the weights are dequantized to BF16 at load',
      source: `${QUANTIZERS}/quantizer_finegrained_fp8.py`,
    },
    'fp8-static': {
      least: 89,
      below: 'the weights are dequantized to BF16 at load',
      source: `${QUANTIZERS}/quantizer_compressed_tensors.py`,
    },
    'fp8-block': {
      least: 89,
      below: 'the weights are dequantized to BF16 at load',
      source: `${QUANTIZERS}/quantizer_finegrained_fp8.py`,
    },
    'awq-int4': { least: 75, below: null, source: `${QUANTIZERS}/quantizer_awq.py` },
    'gptq-int4': { least: null, below: null, source: `${QUANTIZERS}/quantizer_gptq.py` },
    'gptq-int8': { least: null, below: null, source: `${QUANTIZERS}/quantizer_gptq.py` },
    w4a16: { least: 75, below: null, source: `${QUANTIZERS}/quantizer_compressed_tensors.py` },
    nvfp4: { least: 100, below: null, source: `${QUANTIZERS}/quantizer_nvfp4.py` },
    mxfp4: {
      least: 75,
      below: 'the weights are dequantized to BF16 at load',
      source: `${QUANTIZERS}/quantizer_mxfp4.py`,
    },
    mxfp8: {
      least: 100,
      below: 'the weights are dequantized to BF16 at load',
      source: `${QUANTIZERS}/quantizer_mxfp8.py`,
    },
    'bnb-nf4': { least: null, below: null, source: `${QUANTIZERS}/quantizer_bnb_4bit.py` },
    'bnb-int8': { least: null, below: null, source: `${QUANTIZERS}/quantizer_bnb_8bit.py` },
  };

/** Libraries beside Transformers that a scheme needs. */
const LIBRARIES: Partial<Readonly<Record<WeightScheme, string>>> = {
  'awq-int4': 'gptqmodel',
  'gptq-int4': 'gptqmodel and optimum',
  'gptq-int8': 'gptqmodel and optimum',
};

const ONLINE: Partial<Readonly<Record<WeightScheme, string>>> = { 'bnb-nf4': 'bnb-4bit', 'bnb-int8': 'bnb-8bit' };

function judge(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const support = SCHEMES[scheme];
  if (support === undefined)
    return unsupported(`Transformers loads no ${scheme} checkpoints`, `${QUANTIZERS} (absence)`);
  const capability = capabilityOf(ctx.hardware);
  if (support.least !== null && capability !== null && capability < support.least) {
    const floor = `${scheme} needs compute capability ${(support.least / 10).toFixed(1)}; ${describeDevice(ctx.hardware)}`;
    return support.below === null
      ? unsupported(floor, support.source)
      : caution(`${floor}: ${support.below}`, support.source);
  }
  const library = LIBRARIES[scheme];
  return library === undefined ? null : caution(`the worker needs ${library} beside Transformers`, support.source);
}

/** Value of --quantization; null: the checkpoint says how it is quantized. */
function methodOf(scheme: WeightScheme | null, isOnline: boolean): string | null | Lowered {
  if (!isOnline || scheme === null) return null;
  return (
    ONLINE[scheme] ??
    unsupported(
      `serve quantizes with bitsandbytes only (4 or 8 bits) at load, not to ${scheme}`,
      `${MANAGER}, get_quantization_config`,
    )
  );
}

export function lowerTransformersWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft')
    return unsupported(
      'transformers serve drafts nothing; assistant_model is an argument of generate() in Python only',
      ABSENT,
      'vllm',
    );
  if (scope !== 'target') return unsupported(`Transformers loads no weights for the scope ${scope}`, SERVE);
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, SERVE);
  const { container, scheme } = readWeightFormat(format);
  const judged = scheme === null ? null : judge(scheme, ctx);
  if (judged?.kind === 'unsupported') return judged;
  const method = methodOf(scheme, checkpoint.source === 'online');
  if (typeof method === 'object' && method !== null) return method;
  const isFile = checkpoint.source === 'recipe' || checkpoint.repo.startsWith('bundled:');
  const name = isFile ? checkpoint.fileName : checkpoint.repo;
  const pinned = checkpoint.revision === null || isFile ? name : `${name}@${checkpoint.revision}`;
  const model = container === 'gguf' && !isFile ? `${name}:${checkpoint.fileName}` : pinned;
  const lowered = args(
    { flag: model, value: null, note: checkpoint.format },
    ...(batchesContinuously(ctx)
      ? [{ flag: '--continuous-batching', value: null, note: 'or requests are served one by one' }]
      : []),
    ...(method === null ? [] : [{ flag: '--quantization', value: method, note: 'quantized while loading' }]),
    ...(ctx.hardware.kind === 'cpu' ? [{ flag: '--device', value: 'cpu' }] : []),
  );
  if (container === 'gguf')
    return several(
      lowered,
      caution(
        'a GGUF file is dequantized at load: it takes the memory of 16-bit weights',
        'Transformers 5.17.0, modeling_gguf_pytorch_utils.py',
      ),
    );
  return judged === null ? lowered : several(lowered, judged);
}

const IMPLEMENTATIONS: Partial<
  Readonly<Record<SettingValues['attentionBackend'], { name: string; least: number; most: number }>>
> = {
  eager: { name: 'eager', least: 0, most: 999 },
  sdpa: { name: 'sdpa', least: 0, most: 999 },
  'flash-attention-2': { name: 'flash_attention_2', least: 80, most: 999 },
  'flash-attention-3': { name: 'flash_attention_3', least: 80, most: 90 },
  'flex-attention': { name: 'flex_attention', least: 0, most: 999 },
};

export function lowerTransformersAttention(backend: SettingValues['attentionBackend'], ctx: LoweringContext): Lowered {
  const known = IMPLEMENTATIONS[backend];
  if (known === undefined) {
    return unsupported(
      `serve takes eager, sdpa, flash_attention_2, flash_attention_3 and flex_attention, not ${backend}`,
      `${MANAGER}, _validate_args`,
    );
  }
  const capability = capabilityOf(ctx.hardware);
  const isFlash = backend.startsWith('flash');
  if (isFlash && ctx.hardware.kind === 'cpu')
    return unsupported('FlashAttention is for GPUs', 'Transformers 5.17.0, modeling_utils.py');
  if (capability !== null && (capability < known.least || capability > known.most)) {
    return unsupported(
      `${backend} does not run on ${describeDevice(ctx.hardware)}`,
      'Transformers 5.17.0, modeling_flash_attention_utils.py',
    );
  }
  const lowered = arg('--attn-implementation', known.name);
  return batchesContinuously(ctx) && !isFlash && ctx.hardware.kind === 'gpu'
    ? several(
        lowered,
        caution(
          'continuous batching changes it to FlashAttention where that is installed',
          'Transformers 5.17.0, generation/continuous_batching/continuous_api.py',
        ),
      )
    : lowered;
}

export function lowerTransformersFlashAttention(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return lowerTransformersAttention('eager', ctx);
  if (vendorOf(ctx.hardware) === 'amd') return arg('--attn-implementation', 'flash_attention_2');
  return lowerTransformersAttention(capabilityOf(ctx.hardware) === 90 ? 'flash-attention-3' : 'flash-attention-2', ctx);
}
