import { METHODS_WITH_DRAFT, type Scope, type WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { args, caution, configEntries, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const QUANTIZATION = 'TensorRT-LLM @09d4c79b, docs/source/features/quantization.md';
const HARDWARE = 'TensorRT-LLM @8f2e263c, docs/source/legacy/reference/support-matrix and supported-hardware.md';
const SERVE = 'TensorRT-LLM @00209af1, tensorrt_llm/commands/serve.py';
const LINEAR = 'TensorRT-LLM @04c8822c, docs/source/features/quantization.md (absence) and legacy/torch.md';

/** Why the engine does not run on a device at all; null where it does. */
export function tensorrtDeviceRefusal(ctx: LoweringContext): Lowered | null {
  const { hardware } = ctx;
  const vendor = vendorOf(hardware);
  if (hardware.kind === 'cpu' || (vendor !== null && vendor !== 'nvidia')) {
    return unsupported(`TensorRT-LLM runs on NVIDIA GPUs only; ${describeDevice(hardware)}`, HARDWARE);
  }
  const capability = capabilityOf(hardware);
  return capability !== null && capability < 80
    ? unsupported(`TensorRT-LLM needs compute capability 8.0 (Ampere); ${describeDevice(hardware)}`, HARDWARE)
    : null;
}

/** Lowest compute capability × 10 of a scheme, the name that ModelOpt gives it, and where it is documented. */
interface Support {
  algorithm: string;
  least: number;
  /** Capabilities of the support table; others run by kernels that the table does not list. */
  documented: readonly number[];
  why: string;
}

const HOPPER_AND_OLDER = [80, 86, 89, 90];
const FP8_TABLE = [89, 90, 100, 103, 120, 121];
const SUPPORTED: Partial<Readonly<Record<WeightScheme, Support>>> = {
  // Activation scales at run time are the row-wise recipe, which the table lists for Hopper alone.
  fp8: { algorithm: 'FP8_PER_CHANNEL_PER_TOKEN', least: 89, documented: [90], why: 'FP8 math starts with Ada' },
  'fp8-static': { algorithm: 'FP8', least: 89, documented: FP8_TABLE, why: 'FP8 math starts with Ada' },
  'fp8-block': {
    algorithm: 'FP8_BLOCK_SCALES',
    least: 89,
    documented: [90, 100, 103],
    why: 'block-scaled FP8 needs FP8 tensor cores',
  },
  'awq-int4': {
    algorithm: 'W4A16_AWQ',
    least: 80,
    documented: HOPPER_AND_OLDER,
    why: 'INT4 kernels start with Ampere',
  },
  'gptq-int4': {
    algorithm: 'W4A16_GPTQ',
    least: 80,
    documented: HOPPER_AND_OLDER,
    why: 'INT4 kernels start with Ampere',
  },
  nvfp4: { algorithm: 'NVFP4', least: 100, documented: [100, 103, 120, 121], why: 'NVFP4 math starts with Blackwell' },
  mxfp4: {
    algorithm: 'W4A16_MXFP4 up to Hopper, W4A8_MXFP4 from Blackwell on',
    least: 80,
    documented: [90, 100, 103, 120, 121],
    why: 'MXFP4 kernels start with Hopper',
  },
};

const REFUSED: Partial<Readonly<Record<WeightScheme, { reason: string; source: string; instead?: string }>>> = {
  'int8-w8a8': {
    reason:
      'INT8 W8A8 (SmoothQuant) belongs to the older TensorRT engine path; the PyTorch backend has no W8A8 INT8 kernels: take FP8 on Ada and later, W4A16 on Ampere',
    source: `${QUANTIZATION}; legacy docs, SmoothQuant`,
    instead: 'vllm',
  },
  'int8-weight-only': {
    reason: 'the PyTorch backend documents no INT8 weight-only checkpoints (W8A16 is of the TensorRT engine path)',
    source: LINEAR,
    instead: 'vllm',
  },
  'gptq-int8': {
    reason: 'GPTQ is documented with 4-bit weights only (W4A16, W4A8)',
    source: QUANTIZATION,
    instead: 'vllm',
  },
  w4a16: {
    reason: 'INT4 weights are read in the layouts of AWQ and GPTQ only, not as compressed-tensors',
    source: QUANTIZATION,
    instead: 'vllm',
  },
  mxfp8: {
    reason: 'no MXFP8 weights: of the MX formats only MXFP4 is read (MXFP8 is the activation type of W4A8_MXFP4_MXFP8)',
    source: QUANTIZATION,
    instead: 'vllm',
  },
  'bnb-nf4': { reason: 'bitsandbytes checkpoints are not read', source: `${QUANTIZATION} (absence)`, instead: 'vllm' },
  'bnb-int8': { reason: 'bitsandbytes checkpoints are not read', source: `${QUANTIZATION} (absence)`, instead: 'vllm' },
};

/** Why the scheme does not run here; a caution where it runs outside the support table; null where all is documented. */
function judgeScheme(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const refused = REFUSED[scheme];
  if (refused) return unsupported(refused.reason, refused.source, refused.instead);
  const support = SUPPORTED[scheme];
  if (!support) return unsupported(`TensorRT-LLM reads no ${scheme} checkpoints`, QUANTIZATION);
  const capability = capabilityOf(ctx.hardware);
  if (capability === null) return null;
  if (capability < support.least) {
    return unsupported(
      `${support.why} (compute capability ${support.least / 10}); ${describeDevice(ctx.hardware)}`,
      QUANTIZATION,
    );
  }
  if (support.documented.includes(capability)) return null;
  const blackwell = scheme === 'awq-int4' || scheme === 'gptq-int4' ? '; on Blackwell prefer NVFP4' : '';
  return caution(
    `${support.algorithm} is not in the support table for this generation (${describeDevice(ctx.hardware)}): test first${blackwell}`,
    QUANTIZATION,
  );
}

function lowerCheckpoint(format: string, ctx: LoweringContext): Lowered {
  const { scheme } = readWeightFormat(format);
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, SERVE);
  if (checkpoint.source === 'online') {
    return unsupported(
      'TensorRT-LLM does not quantize a plain checkpoint at load: quantize it with ModelOpt first, or name a published one',
      QUANTIZATION,
    );
  }
  const judged = scheme === null ? null : judgeScheme(scheme, ctx);
  if (judged?.kind === 'unsupported') return judged;
  const name = checkpoint.source === 'recipe' ? checkpoint.fileName : checkpoint.repo;
  const algorithm = scheme === null ? checkpoint.format : `${SUPPORTED[scheme]?.algorithm}, read from the checkpoint`;
  const model = args(
    { flag: name.startsWith('bundled:') ? checkpoint.fileName : name, value: null, note: algorithm },
    { flag: '--backend', value: 'pytorch' },
    ...(checkpoint.revision === null ? [] : [{ flag: '--revision', value: checkpoint.revision }]),
  );
  return judged === null ? model : several(model, judged);
}

export function lowerTensorrtWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft') return lowerDraftWeights(format, ctx);
  if (scope !== 'target') return unsupported(`TensorRT-LLM loads no weights for the scope ${scope}`, SERVE);
  const device = tensorrtDeviceRefusal(ctx);
  if (device !== null) return device;
  if (format.startsWith('gguf:')) {
    return unsupported(
      'GGUF files are not read: take a safetensors checkpoint',
      `${QUANTIZATION} (absence)`,
      'llama.cpp',
    );
  }
  return lowerCheckpoint(format, ctx);
}

/** The draft's repository stands in `speculative_config`. */
function lowerDraftWeights(format: string, ctx: LoweringContext): Lowered {
  if (format.startsWith('gguf:')) {
    return unsupported('a draft in GGUF is not read: take a safetensors checkpoint', `${QUANTIZATION} (absence)`);
  }
  const method = ctx.value('speculation') ?? 'off';
  if (method === 'off') return unsupported('draft weights mean nothing without speculation', SERVE);
  return METHODS_WITH_DRAFT.includes(method)
    ? { kind: 'carried', by: 'speculation' }
    : unsupported(`${method} drafts without a model of its own here`, SERVE);
}

/** Pruned weights are an ordinary dense model; 2:4 and unstructured zeros load dense and gain nothing. */
export function lowerTensorrtSparsity(kind: 'structured' | 'unstructured' | '2:4'): Lowered {
  if (kind === 'structured') return { kind: 'carried', by: 'weightsFormat' };
  return several(
    { kind: 'carried', by: 'weightsFormat' },
    caution(
      `${kind} weights load dense: no less memory, no more speed (2:4 kernels were of the TensorRT engine path)`,
      'TensorRT-LLM legacy docs, sparsity flags of the engine builder (absence on main)',
    ),
  );
}

export const lowerTensorrtDtype = (dtype: string): Lowered => configEntries({ dtype });
