import { findHardware } from '../facts/hardware';
import type { Invocation } from './importer';
import { seenDevices } from './read-environment';
import type { Reading } from './reading';
import { vllmDevices } from './vllm-flags';

export interface HardwareIntent {
  device: string;
  count: number;
  /** False where the text does not say the device. */
  isNamed: boolean;
}

const GPU_FLAGS = ['--gpu-layers', '--main-gpu', '--tensor-split', '--split-mode', '--n-cpu-moe', '--cpu-moe'];

/** Whether a llama.cpp command computes on a GPU, as far as it says. */
function llamaUsesGpu(reading: Reading, { devices, image }: Invocation): boolean {
  const layers = reading.value('--gpu-layers');
  if (layers === '0' || reading.value('--device') === 'none') return false;
  return (
    (devices !== null && devices !== 0) ||
    /cuda|rocm|vulkan|musa|intel/i.test(image ?? '') ||
    GPU_FLAGS.some((name) => reading.peek(name) !== null)
  );
}

function kindOf(reading: Reading, invocation: Invocation): string {
  const { engine, image, env } = invocation;
  const name = image?.toLowerCase() ?? '';
  if (/rocm/.test(name) || 'HIP_VISIBLE_DEVICES' in env) return 'MI300X';
  if (engine === 'llama.cpp') return llamaUsesGpu(reading, invocation) ? 'RTX-4090' : 'cpu-local';
  const isCpu = /cpu/.test(name) || Object.keys(env).some((variable) => variable.startsWith('VLLM_CPU_'));
  return isCpu ? 'cpu-local' : 'H100-SXM';
}

/** Device and count: from the head of our own files, else from what flags, image and variables give away. */
export function guessHardware(reading: Reading, invocation: Invocation): HardwareIntent {
  const { head, devices, env, engine } = invocation;
  if (head !== null && findHardware(head.device) !== null) {
    return { device: head.device, count: head.count, isNamed: true };
  }
  const device = kindOf(reading, invocation);
  const spread = engine === 'vllm' ? vllmDevices(reading) : 1;
  const reserved = typeof devices === 'number' ? devices : 1;
  const count = device === 'cpu-local' ? 1 : Math.min(1024, Math.max(1, spread, reserved, seenDevices(env) ?? 1));
  return { device, count, isNamed: device === 'cpu-local' };
}
