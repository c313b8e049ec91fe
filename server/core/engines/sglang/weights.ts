import type { Scope, SettingValues, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { args, caution, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';
const QUANTIZATION = 'SGLang v0.5.18, python/sglang/srt/layers/quantization';
const DOCS = 'SGLang v0.5.18, docs advanced_features/quantization';

/** Where a scheme runs: lowest compute capability × 10 on NVIDIA, and whether AMD GPUs and CPUs (AMX) have kernels. */
interface Support {
  least: number;
  amd: boolean;
  cpu: boolean;
  source: string;
}

const SUPPORTED: Readonly<Record<WeightScheme, Support>> = {
  'int8-w8a8': { least: 75, amd: true, cpu: true, source: `${QUANTIZATION}/w8a8_int8.py` },
  'int8-weight-only': { least: 80, amd: true, cpu: false, source: `${QUANTIZATION}/compressed_tensors` },
  fp8: { least: 80, amd: true, cpu: true, source: `${QUANTIZATION}/fp8.py` },
  'fp8-static': { least: 80, amd: true, cpu: true, source: `${QUANTIZATION}/fp8.py` },
  'fp8-block': { least: 80, amd: true, cpu: true, source: `${QUANTIZATION}/fp8.py` },
  'awq-int4': { least: 75, amd: true, cpu: true, source: `${QUANTIZATION}/awq` },
  'gptq-int4': { least: 75, amd: true, cpu: false, source: `${QUANTIZATION}/gptq` },
  'gptq-int8': { least: 75, amd: true, cpu: false, source: `${QUANTIZATION}/gptq` },
  w4a16: { least: 80, amd: true, cpu: false, source: `${QUANTIZATION}/compressed_tensors` },
  nvfp4: { least: 80, amd: true, cpu: false, source: `${QUANTIZATION}/modelopt_quant.py` },
  mxfp4: { least: 80, amd: true, cpu: false, source: `${QUANTIZATION}/mxfp4.py` },
  mxfp8: { least: 100, amd: false, cpu: false, source: `${QUANTIZATION}/fp8.py` },
  'bnb-nf4': { least: 70, amd: false, cpu: false, source: `${QUANTIZATION}/bitsandbytes.py` },
  'bnb-int8': { least: 70, amd: false, cpu: false, source: `${QUANTIZATION}/bitsandbytes.py` },
};

/** Methods that make a scheme out of a plain checkpoint while it loads. */
const ONLINE: Partial<Readonly<Record<WeightScheme, readonly { flag: string; value: string }[]>>> = {
  fp8: [{ flag: '--quantization', value: 'fp8' }],
  mxfp8: [{ flag: '--quantization', value: 'mxfp8' }],
  nvfp4: [{ flag: '--quantization', value: 'nvfp4_online' }],
  'bnb-nf4': [
    { flag: '--quantization', value: 'bitsandbytes' },
    { flag: '--load-format', value: 'bitsandbytes' },
  ],
};

/** Why the scheme does not run on the device; null where it does, or where nothing is known of the device. */
function judgeDevice(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const { least, amd, cpu, source } = SUPPORTED[scheme];
  const device = describeDevice(ctx.hardware);
  if (ctx.hardware.kind === 'cpu') {
    return cpu ? null : unsupported(`SGLang's CPU backend has no ${scheme} kernels`, DOCS);
  }
  if (vendorOf(ctx.hardware) === 'amd') {
    return amd ? null : unsupported(`SGLang has no ${scheme} kernels for AMD GPUs`, DOCS);
  }
  const capability = capabilityOf(ctx.hardware);
  return capability !== null && capability < least
    ? unsupported(`SGLang's ${scheme} kernels need compute capability ${(least / 10).toFixed(1)}; ${device}`, source)
    : null;
}

/** What runs, but not by kernels of that format. */
function cautionOf(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const capability = capabilityOf(ctx.hardware);
  const device = describeDevice(ctx.hardware);
  const isFp8 = scheme === 'fp8' || scheme === 'fp8-static' || scheme === 'fp8-block';
  if (isFp8 && capability !== null && capability < 89) {
    return caution(
      `FP8 math starts with compute capability 8.9; ${device}: Marlin kernels read the weights in 8 bits and compute in 16`,
      `${QUANTIZATION}/fp8.py`,
    );
  }
  if (scheme === 'nvfp4' && capability !== null && capability < 100) {
    return caution(
      `NVFP4 math starts with compute capability 10.0; ${device}: Marlin kernels read the weights in 4 bits and compute in 16`,
      `${QUANTIZATION}/modelopt_quant.py`,
    );
  }
  if (scheme === 'int8-w8a8' && capability !== null && capability >= 100) {
    return caution(`the INT8 product targets compute capability 7.5 to 9.0; ${device}: test first`, DOCS);
  }
  if (scheme === 'mxfp4' && vendorOf(ctx.hardware) === 'amd' && !/^MI35/.test(ctx.hardware.id)) {
    return caution(
      `MXFP4 math on AMD needs an MI350; ${ctx.hardware.id} dequantizes or fails`,
      `${QUANTIZATION}/mxfp4.py`,
    );
  }
  return null;
}

/** Arguments that name the method. A checkpoint says its own; only what is made at load needs a name. */
function methodArgs(
  scheme: WeightScheme,
  ctx: LoweringContext,
): { flag: string; value: string; note?: string }[] | Lowered {
  if (ctx.checkpoint('target')?.source !== 'online') {
    // The AMD kernels for NVFP4 have a name of their own.
    return scheme === 'nvfp4' && vendorOf(ctx.hardware) === 'amd'
      ? [{ flag: '--quantization', value: 'petit_nvfp4', note: 'the kernels for MI250 and MI300' }]
      : [];
  }
  const online = ONLINE[scheme];
  if (online === undefined) {
    return unsupported(
      `SGLang quantizes to FP8, MXFP8, NVFP4 and NF4 at load, not to ${scheme} (--quantize-and-serve with ModelOpt is switched off in 0.5.18): name a checkpoint`,
      `${ARGS}; configs/model_config.py, _validate_quantize_and_serve_config`,
    );
  }
  const capability = capabilityOf(ctx.hardware);
  if (scheme === 'nvfp4' && (capability === null || capability < 100)) {
    return unsupported(
      `NVFP4 at load needs Blackwell; ${describeDevice(ctx.hardware)}`,
      `${QUANTIZATION}/nvfp4_online.py`,
    );
  }
  return online.map((word) => ({ ...word, note: 'quantized while loading' }));
}

function ggufArgs(ctx: LoweringContext): { flag: string; value: string }[] | Lowered {
  if (ctx.hardware.kind === 'cpu' || vendorOf(ctx.hardware) === 'amd') {
    return unsupported(
      'SGLang reads GGUF on NVIDIA GPUs only: use llama.cpp, or a safetensors checkpoint',
      `${QUANTIZATION}/gguf.py`,
      'llama.cpp',
    );
  }
  return [
    { flag: '--load-format', value: 'gguf' },
    { flag: '--quantization', value: 'gguf' },
  ];
}

const plain = (format: string): boolean =>
  /^safetensors:(bf16|bfloat16|fp16|float16|fp32|float32|unknown)?$/i.test(format);

function lowerTarget(format: string, ctx: LoweringContext): Lowered {
  const { container, scheme } = readWeightFormat(format);
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, ARGS);
  const refused = scheme === null ? null : judgeDevice(scheme, ctx);
  if (refused !== null) return refused;
  if (scheme === null && container === 'safetensors' && !plain(format)) {
    return unsupported(`SGLang has no kernels for ${format}`, DOCS);
  }
  const method = container === 'gguf' ? ggufArgs(ctx) : scheme === null ? [] : methodArgs(scheme, ctx);
  if (!Array.isArray(method)) return method;
  const isFile = container === 'gguf' || checkpoint.source === 'recipe' || checkpoint.repo.startsWith('bundled:');
  const lowered = args(
    { flag: '--model-path', value: isFile ? checkpoint.fileName : checkpoint.repo, note: checkpoint.format },
    ...(checkpoint.revision === null ? [] : [{ flag: '--revision', value: checkpoint.revision }]),
    ...method,
    ...(ctx.hardware.kind === 'cpu' ? [{ flag: '--device', value: 'cpu', note: 'the backend for AMX' }] : []),
  );
  const warned = scheme === null ? null : cautionOf(scheme, ctx);
  return warned === null ? lowered : several(lowered, warned);
}

/** The draft's own checkpoint: a small model, or heads trained for the target. */
function lowerDraft(format: string, ctx: LoweringContext): Lowered {
  const method = ctx.value('speculation') ?? 'off';
  if (method === 'off') return unsupported('draft weights mean nothing without speculation', ARGS);
  if (method === 'prompt-lookup')
    return unsupported('prompt lookup drafts from the text itself, without a model', ARGS);
  const checkpoint = ctx.checkpoint('draft');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format} of the draft`, ARGS);
  const isFile = checkpoint.source === 'recipe' || format.startsWith('gguf:') || checkpoint.repo.startsWith('bundled:');
  const { scheme } = readWeightFormat(format);
  const online = checkpoint.source === 'online' && scheme !== null ? ONLINE[scheme]?.[0] : undefined;
  if (checkpoint.source === 'online' && online === undefined) {
    return unsupported(`SGLang cannot quantize a draft to ${scheme ?? format} at load`, ARGS);
  }
  return args(
    {
      flag: '--speculative-draft-model-path',
      value: isFile ? checkpoint.fileName : checkpoint.repo,
      note: checkpoint.format,
    },
    ...(checkpoint.revision === null
      ? []
      : [{ flag: '--speculative-draft-model-revision', value: checkpoint.revision }]),
    ...(online === undefined ? [] : [{ flag: '--speculative-draft-model-quantization', value: online.value }]),
  );
}

export function lowerSglangWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'target') return lowerTarget(format, ctx);
  if (scope === 'draft') return lowerDraft(format, ctx);
  return unsupported(`SGLang loads no weights for the scope ${scope}`, ARGS);
}

/** Pruned weights are an ordinary smaller model; zeros in a dense one gain nothing here. */
export function lowerSglangSparsity(kind: SettingValues['weightsSparsity']): Lowered {
  if (kind === 'structured') return { kind: 'carried', by: 'weightsFormat' };
  return several(
    { kind: 'carried', by: 'weightsFormat' },
    caution(
      `SGLang has no kernels for ${kind} sparsity: the weights load dense, no smaller and no faster`,
      `${QUANTIZATION} (absence)`,
    ),
  );
}
