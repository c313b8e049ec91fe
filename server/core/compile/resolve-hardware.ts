import { findHardware, HARDWARE, nearestHardware } from '../facts/hardware';
import type { HardwareFacts } from '../facts/hardware-facts';
import type { Participant } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';

export interface ResolvedHardware {
  id: string;
  kind: 'cpu' | 'gpu';
  count: number;
  /** Null where a running server brings hardware that nobody named. */
  nodeId: string | null;
  facts: HardwareFacts | null;
  pricePerHourUsd: number | null;
}

/** Hardware of a server that runs elsewhere and about which nothing was said. */
export const UNNAMED_HARDWARE: ResolvedHardware = {
  id: 'unnamed',
  kind: 'cpu',
  count: 1,
  nodeId: null,
  facts: null,
  pricePerHourUsd: null,
};

/** Device, count and price of a hardware node. The price is the node's, else the table's; null where nobody priced it. */
export function resolveHardware(participant: Participant): { resolved: ResolvedHardware | null; findings: Finding[] } {
  const { params, node } = participant;
  const facts = findHardware(String(params.device));
  if (!facts) {
    const near = nearestHardware(String(params.device));
    const shown = near.length > 0 ? near : HARDWARE.slice(0, 4).map((h) => h.id);
    const what = near.length > 0 ? 'near are' : 'known are';
    const message = `"${params.device}" is no known device; ${what} ${shown.join(', ')}, of ${HARDWARE.length} in the table.`;
    const [value] = near;
    const edits = [{ op: 'set-param' as const, nodeId: node.id, field: 'device', value }];
    const fix = value === undefined ? null : { label: `Use ${value}`, edits };
    return {
      resolved: null,
      findings: [finding('error', 'hardware-unknown', message, { nodeId: node.id, field: 'device', fix })],
    };
  }
  const count = Number(params.count);
  const price = typeof params.pricePerHourUsd === 'number' ? params.pricePerHourUsd : facts.pricePerHourUsd;
  const pricePerHourUsd = price === null ? null : price * count;
  return { resolved: { id: facts.id, kind: facts.kind, count, nodeId: node.id, facts, pricePerHourUsd }, findings: [] };
}
