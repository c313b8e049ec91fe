import { findModel } from '../../facts/models';
import type { Scope, SettingValues } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { arg, args, caution, inTarget, several, unsupported } from '../lower';
import { insideDraft } from './inside-speculation';

const BACKENDS = 'vLLM @017e9f4448, vllm/v1/attention/backends';
const REGISTRY = `${BACKENDS}/registry.py`;
const PLATFORM_CPU = 'vLLM @017e9f4448, vllm/platforms/cpu.py';
const FA_UTILS = `${BACKENDS}/fa_utils.py`;
const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';

const usesLatentAttention = (ctx: LoweringContext): boolean => {
  const latent = findModel(ctx.checkpoint('target')?.model ?? '')?.latentAttention;
  return latent !== undefined && latent !== null && latent !== 'none';
};

/** The FlashAttention backend of the device and model, or why there is none. */
function flashBackend(ctx: LoweringContext): string | Lowered {
  const latent = usesLatentAttention(ctx);
  if (vendorOf(ctx.hardware) === 'amd') return latent ? 'ROCM_AITER_MLA' : 'ROCM_AITER_FA';
  const capability = capabilityOf(ctx.hardware);
  if (capability !== null && capability < 80) {
    return unsupported(
      `FlashAttention in vLLM needs compute capability 8.0; ${describeDevice(ctx.hardware)}`,
      `${BACKENDS}/flash_attn.py`,
    );
  }
  if (!latent) return 'FLASH_ATTN';
  if (capability === 90) return 'FLASH_ATTN_MLA';
  return unsupported(
    `for latent attention FlashAttention has kernels on Hopper only; ${describeDevice(ctx.hardware)}`,
    `${BACKENDS}/mla/flashattn_mla.py`,
  );
}

function lowerFlashAttention(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') {
    return unsupported('vLLM on a CPU has one attention kernel and ignores the backend', PLATFORM_CPU);
  }
  if (state === 'off') {
    return unsupported(
      'vLLM has no attention kernel that writes the score matrix: its other backends (TRITON_ATTN, FLEX_ATTENTION) tile as well',
      BACKENDS,
    );
  }
  const backend = flashBackend(ctx);
  return typeof backend === 'string' ? arg('--attention-backend', backend) : backend;
}

type Backend = SettingValues['attentionBackend'];
type FlashVersion = 2 | 3 | 4;
const FLASH_VERSIONS: Partial<Record<Backend, FlashVersion>> = {
  'flash-attention-2': 2,
  'flash-attention-3': 3,
  'flash-attention-4': 4,
};

/** What a version of FlashAttention needs, and what runs in its place elsewhere. */
function flashVersionFault(version: FlashVersion, ctx: LoweringContext): string | null {
  const capability = capabilityOf(ctx.hardware);
  if (capability === null) return null;
  if (version === 3 && capability !== 90) {
    return `FlashAttention 3 is for Hopper alone; ${describeDevice(ctx.hardware)}, and vLLM takes version ${capability >= 100 && capability < 120 ? 4 : 2} instead`;
  }
  if (version === 4 && (capability < 90 || capability >= 120)) {
    return `FlashAttention 4 is for Hopper and data-centre Blackwell; ${describeDevice(ctx.hardware)}, and vLLM takes version 2 instead`;
  }
  return null;
}

function lowerFlashVersion(version: FlashVersion, ctx: LoweringContext): Lowered {
  if (vendorOf(ctx.hardware) === 'amd' && version !== 2) {
    return unsupported(`FlashAttention ${version} is written for NVIDIA; on AMD vLLM has AITER's version 2`, REGISTRY);
  }
  const backend = flashBackend(ctx);
  if (typeof backend !== 'string') return backend;
  if (vendorOf(ctx.hardware) === 'amd') return arg('--attention-backend', backend);
  const flags = args(
    { flag: '--attention-backend', value: backend },
    { flag: '--attention-config', value: JSON.stringify({ flash_attn_version: version }) },
  );
  const fault = flashVersionFault(version, ctx);
  return fault === null ? flags : several(flags, caution(fault, FA_UTILS));
}

/** Backends by what they are called; `null`: not for that kind of attention. */
const NAMES: Readonly<Record<'flashinfer' | 'triton' | 'flex-attention' | 'trtllm', [string, string | null]>> = {
  flashinfer: ['FLASHINFER', 'FLASHINFER_MLA'],
  triton: ['TRITON_ATTN', 'TRITON_MLA'],
  'flex-attention': ['FLEX_ATTENTION', null],
  trtllm: ['FLASHINFER', 'FLASHINFER_MLA'],
};

function lowerNamed(backend: keyof typeof NAMES, ctx: LoweringContext): Lowered {
  const [plain, latent] = NAMES[backend];
  const name = usesLatentAttention(ctx) ? latent : plain;
  if (name === null) return unsupported(`${backend} has no kernels for latent attention`, `${BACKENDS}/mla`);
  const capability = capabilityOf(ctx.hardware);
  const isNvidia = vendorOf(ctx.hardware) === 'nvidia';
  if ((backend === 'flashinfer' || backend === 'trtllm') && !isNvidia) {
    return unsupported(
      `${backend} is written for NVIDIA; ${describeDevice(ctx.hardware)}`,
      `${BACKENDS}/flashinfer.py`,
    );
  }
  if (backend === 'trtllm' && capability !== null && capability !== 100 && capability !== 103) {
    return unsupported(
      `the TensorRT-LLM kernels in FlashInfer are for compute capability 10.0 and 10.3; ${describeDevice(ctx.hardware)}`,
      `${BACKENDS}/flashinfer.py`,
    );
  }
  if (backend !== 'trtllm' || name !== 'FLASHINFER') return arg('--attention-backend', name);
  return args(
    { flag: '--attention-backend', value: name },
    { flag: '--attention-config', value: JSON.stringify({ use_trtllm_attention: true }) },
  );
}

function lowerBackend(backend: Backend, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft') return draftBackend(backend, ctx) === null ? noDraftBackend(backend) : insideDraft(ctx);
  if (scope !== 'target') return unsupported(`no attention backend can be set for the scope ${scope}`, ARG_UTILS);
  if (ctx.hardware.kind === 'cpu') {
    return unsupported('vLLM on a CPU has one attention kernel and ignores the backend', PLATFORM_CPU);
  }
  const version = FLASH_VERSIONS[backend];
  if (version !== undefined) return lowerFlashVersion(version, ctx);
  if (backend === 'eager') {
    return unsupported('vLLM has no attention kernel that writes the score matrix', BACKENDS);
  }
  if (backend === 'sdpa') {
    return unsupported("PyTorch's scaled dot product serves vision encoders in vLLM, not the language model", REGISTRY);
  }
  return lowerNamed(backend as keyof typeof NAMES, ctx);
}

const noDraftBackend = (backend: Backend): Lowered =>
  unsupported(`${backend} cannot be chosen for the draft alone`, 'vLLM @017e9f4448, vllm/config/speculative.py');

/** Backend of the draft in the JSON of speculation; null: no name of its own there. */
export function draftBackend(backend: Backend, ctx: LoweringContext): string | null {
  if (backend === 'flash-attention-2' || backend === 'flash-attention-3' || backend === 'flash-attention-4') {
    const flash = flashBackend(ctx);
    return typeof flash === 'string' ? flash : null;
  }
  return backend === 'eager' || backend === 'sdpa' || backend === 'trtllm' ? null : NAMES[backend][0];
}

export const vllmAttention = {
  flashAttention: inTarget('flashAttention', ARG_UTILS, lowerFlashAttention),
  attentionBackend: lowerBackend,
} satisfies Partial<LoweringTable>;
