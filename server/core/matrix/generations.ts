import { HARDWARE } from '../facts/hardware';
import type { HardwareFacts } from '../facts/hardware-facts';

/** Devices that engines treat alike, with one that stands for all. */
export interface Generation {
  /** NVIDIA: compute capability (`8.0`); AMD: the gfx name; or `cpu`. */
  id: string;
  title: string;
  /** Id in facts/hardware. */
  device: string;
  kind: 'cpu' | 'gpu';
}

/** Names of NVIDIA's generations by the compute capability. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  '7.0': 'Volta',
  '7.5': 'Turing',
  '8.0': 'Ampere, data centre',
  '8.6': 'Ampere',
  '8.9': 'Ada',
  '9.0': 'Hopper',
  '10.0': 'Blackwell, data centre',
  '10.3': 'Blackwell Ultra',
  '12.0': 'Blackwell',
  '12.1': 'Blackwell, GB10',
  gfx90a: 'CDNA 2',
  gfx942: 'CDNA 3',
  gfx950: 'CDNA 4',
  gfx1100: 'RDNA 3',
  gfx1201: 'RDNA 4',
};

/** Generation of a device; null where the facts of the engines say nothing of its kind (Apple, Gaudi). */
function generationOf({ kind, vendor, computeCapability }: HardwareFacts): string | null {
  if (kind === 'cpu') return 'cpu';
  return vendor === 'nvidia' || vendor === 'amd' ? computeCapability : null;
}

function titleOf(id: string, devices: readonly HardwareFacts[]): string {
  if (id === 'cpu') return 'CPU';
  const names = devices.slice(0, 2).map((device) => device.id);
  const architecture = ARCHITECTURES[id];
  return architecture === undefined ? names.join(', ') : `${architecture} (${names.join(', ')})`;
}

const order = (id: string): number => (/^\d/.test(id) ? Number(id) : id === 'cpu' ? 0 : 100);

/** Every generation of the hardware table, CPUs first, then by age; the first device of each stands for all. */
export const GENERATIONS: readonly Generation[] = [
  ...HARDWARE.reduce((groups, facts) => {
    const id = generationOf(facts);
    return id === null ? groups : groups.set(id, [...(groups.get(id) ?? []), facts]);
  }, new Map<string, HardwareFacts[]>()),
]
  .flatMap(([id, devices]) => {
    const [first] = devices;
    return first ? [{ id, title: titleOf(id, devices), device: first.id, kind: first.kind }] : [];
  })
  .sort((a, b) => order(a.id) - order(b.id) || a.id.localeCompare(b.id));
