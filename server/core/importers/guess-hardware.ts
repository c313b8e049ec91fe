import { findHardware } from '../facts/hardware';
import type { Dialect } from './dialects/dialect';
import type { Invocation } from './importer';
import { seenDevices } from './read-environment';
import type { Reading } from './reading';

export interface HardwareIntent {
  device: string;
  count: number;
  kind: 'cpu' | 'gpu';
  /** False where the text does not say the device. */
  isNamed: boolean;
}

const MAX_DEVICES = 1024;
const kindOf = (device: string): 'cpu' | 'gpu' => findHardware(device)?.kind ?? 'gpu';

/** Device and count: from the head of our own files, else what the surroundings, flags, image and variables give away. */
export function guessHardware(reading: Reading, dialect: Dialect, invocation: Invocation): HardwareIntent {
  const { head, devices, env, image } = invocation;
  const known = head === null ? null : findHardware(head.device);
  if (head !== null && known !== null) {
    return { device: known.id, count: head.count, kind: known.kind, isNamed: true };
  }
  const named = invocation.device === null ? null : findHardware(invocation.device);
  const isAmd = /rocm/.test(image?.toLowerCase() ?? '') || 'HIP_VISIBLE_DEVICES' in env;
  const device = named?.id ?? (isAmd ? 'MI300X' : dialect.device(reading, invocation));
  const kind = kindOf(device);
  const reserved = typeof devices === 'number' ? devices : 1;
  const spread = dialect.ranks(reading);
  const count = kind === 'cpu' ? 1 : Math.min(MAX_DEVICES, Math.max(1, spread, reserved, seenDevices(env) ?? 1));
  return { device, count, kind, isNamed: named !== null || device === 'cpu-local' };
}
