import { computeCapabilityOf } from '../../facts/hardware-facts';
import type { HardwareFields, PlanContext } from '../constraints/context';
import type { RuleContext } from '../rule';

export function hardwareFields({ hardware: { kind, count, facts } }: RuleContext): HardwareFields {
  if (kind === 'cpu') return { vendor: 'cpu', cc: null, rocm_arch: null, gpus: 0, gpus_per_node: 0 };
  const vendor = facts?.vendor ?? undefined;
  const devices = { gpus: count, gpus_per_node: count };
  if (vendor === undefined || vendor === 'arm') return devices;
  return {
    ...devices,
    vendor,
    cc: vendor === 'nvidia' ? (computeCapabilityOf(facts) ?? undefined) : null,
    rocm_arch: vendor === 'amd' ? (facts?.computeCapability ?? undefined) : null,
  };
}

/** Head sizes for which llama.cpp's CUDA backend has flash-attention kernels (ggml/src/ggml-cuda/fattn.cu; recalled). */
const CUDA_HEADS = [40, 64, 80, 96, 112, 128, 256];

/** Whether llama.cpp's backend has the kernel; left out where nobody recorded it. */
export function backendFields(ctx: RuleContext): NonNullable<PlanContext['backend']> {
  if (ctx.engine.id !== 'llama.cpp') return {};
  if (ctx.hardware.kind === 'cpu') return { supports_fa: true };
  const headDim = ctx.models.target?.facts?.headDim ?? null;
  const isCuda = ctx.hardware.facts?.vendor === 'nvidia';
  return isCuda && headDim !== null && CUDA_HEADS.includes(headDim) ? { supports_fa: true } : {};
}

/** What the images of the projects bring along; a build of one's own may differ, so only their own image counts. */
export function buildFields({ engine, component }: RuleContext): NonNullable<PlanContext['build']> {
  if (component.image === null) return {};
  if (engine.id === 'vllm' || engine.id === 'tensorrt-llm') return { flashinfer: true };
  // .devops/cuda.Dockerfile:48 does not set it.
  return engine.id === 'llama.cpp' ? { GGML_CUDA_FA_ALL_QUANTS: false } : {};
}
