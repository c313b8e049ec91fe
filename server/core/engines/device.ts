import { findHardware } from '../facts/hardware';
import type { LoweringContext } from './engine';

type Device = Pick<LoweringContext['hardware'], 'id' | 'kind'>;

/** Who made the device; null where the facts do not know it. CPUs have one too. */
export const vendorOf = ({ id }: Device): string | null => findHardware(id)?.vendor ?? null;

/** Compute capability × 10 of an NVIDIA device (89 for 8.9); null for others and where nobody recorded it. */
export function capabilityOf({ id }: Device): number | null {
  const facts = findHardware(id);
  if (facts?.vendor !== 'nvidia' || facts.computeCapability === null) return null;
  return Math.round(Number(facts.computeCapability) * 10);
}

/** "compute capability 8.0", or what stands in its place. */
export function describeDevice(device: Device): string {
  const capability = capabilityOf(device);
  if (capability !== null) return `${device.id} has compute capability ${(capability / 10).toFixed(1)}`;
  return device.kind === 'cpu' ? `${device.id} is a CPU` : `${device.id} is not from NVIDIA`;
}
