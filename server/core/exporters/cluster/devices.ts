import { findHardware } from '../../facts/hardware';
import { type Finding, finding } from '../../plan/finding';
import type { Component } from '../../plan/plan';

type Hardware = Component['hardware'];

/** Resource names of the vendors' device plugins. Sources: NVIDIA k8s-device-plugin, ROCm k8s-device-plugin, Intel Gaudi base operator. */
const RESOURCES: Readonly<Record<string, string>> = {
  nvidia: 'nvidia.com/gpu',
  amd: 'amd.com/gpu',
  intel: 'habana.ai/gaudi',
};

/**
 * Value of the node label `nvidia.com/gpu.product`: GPU Feature Discovery writes the driver's product name with
 * hyphens for spaces. Source: NVIDIA k8s-device-plugin, docs of gpu-feature-discovery; names as nvidia-smi shows them.
 */
const PRODUCTS: Readonly<Record<string, string>> = {
  T4: 'Tesla-T4',
  'V100-SXM2': 'Tesla-V100-SXM2-32GB',
  A10: 'NVIDIA-A10',
  A10G: 'NVIDIA-A10G',
  A30: 'NVIDIA-A30',
  A40: 'NVIDIA-A40',
  L4: 'NVIDIA-L4',
  L40S: 'NVIDIA-L40S',
  'A100-40GB-SXM': 'NVIDIA-A100-SXM4-40GB',
  'A100-40GB-PCIe': 'NVIDIA-A100-PCIE-40GB',
  'A100-80GB-SXM': 'NVIDIA-A100-SXM4-80GB',
  'A100-80GB-PCIe': 'NVIDIA-A100-80GB-PCIe',
  'RTX-3090': 'NVIDIA-GeForce-RTX-3090',
  'RTX-4090': 'NVIDIA-GeForce-RTX-4090',
  'RTX-5090': 'NVIDIA-GeForce-RTX-5090',
  'RTX-A6000': 'NVIDIA-RTX-A6000',
  'RTX-6000-Ada': 'NVIDIA-RTX-6000-Ada-Generation',
  'H100-PCIe': 'NVIDIA-H100-PCIe',
  'H100-SXM': 'NVIDIA-H100-80GB-HBM3',
  'H100-NVL': 'NVIDIA-H100-NVL',
  'H200-SXM': 'NVIDIA-H200',
  'H200-NVL': 'NVIDIA-H200-NVL',
  H20: 'NVIDIA-H20',
  'B200-SXM': 'NVIDIA-B200',
  GB200: 'NVIDIA-GB200',
};

/** Devices in one node: a compute tray of an NVL72 rack holds four, the usual HGX or OAM server eight. */
export const devicesPerNode = (id: string): number => (/^GB[23]00$/i.test(id) ? 4 : 8);

/** Where and with what a component's pods run. */
export interface Placement {
  /** Name of the device resource; null on a CPU. */
  resource: string | null;
  /** Devices that one pod asks for. */
  perNode: number;
  /** Pods of one replica. */
  nodes: number;
  nodeSelector: Readonly<Record<string, string>> | null;
  findings: Finding[];
}

function spread(count: number, max: number): { nodes: number; perNode: number } | null {
  const nodes = Math.ceil(count / max);
  return count % nodes === 0 ? { nodes, perNode: count / nodes } : null;
}

/** Devices of a component on a cluster; null with the reason where no node can give them. */
export function placementOf(hardware: Hardware): Placement | { refused: string } {
  if (hardware.kind === 'cpu') return { resource: null, perNode: 0, nodes: 1, nodeSelector: null, findings: [] };
  const vendor = findHardware(hardware.id)?.vendor ?? null;
  const resource = vendor === null ? undefined : RESOURCES[vendor];
  if (resource === undefined) {
    return { refused: `no device plugin is recorded for ${hardware.id} (${vendor ?? 'vendor unknown'})` };
  }
  const shape = spread(hardware.count, devicesPerNode(hardware.id));
  if (shape === null) {
    const max = devicesPerNode(hardware.id);
    return { refused: `${hardware.count} × ${hardware.id} do not divide over nodes of at most ${max}` };
  }
  const product = vendor === 'nvidia' ? PRODUCTS[hardware.id] : undefined;
  const selector = product === undefined ? null : { 'nvidia.com/gpu.product': product };
  return { resource, ...shape, nodeSelector: selector, findings: selector === null ? [unplaced(hardware.id)] : [] };
}

function unplaced(id: string): Finding {
  const message = `The node label of ${id} is not recorded: pods may land on another device of the same vendor. Add a nodeSelector.`;
  return finding('warning', 'no-node-selector', message, { field: 'device' });
}
