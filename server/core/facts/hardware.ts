import { z } from 'zod';
import { CLOUD_INSTANCES, DEVICE_ALIASES } from './device-aliases';
import table from './hardware.json';
import { type HardwareFacts, hardwareFactsSchema } from './hardware-facts';
import { nearestNames, plainName } from './nearest';

export const HARDWARE: readonly HardwareFacts[] = z.array(hardwareFactsSchema).parse(table.hardware);

/** What vendors put before the name of a device. */
const MAKERS = /^(?:(?:nvidia|amd|intel|apple|geforce|quadro|tesla|instinct)[\s_-]+)+/i;
const key = (name: string): string => plainName(name.trim().replace(MAKERS, ''));

// An id wins over an alias, so it comes last.
const BY_NAME: ReadonlyMap<string, HardwareFacts> = new Map(
  HARDWARE.flatMap((facts) =>
    [...(DEVICE_ALIASES[facts.id] ?? []), facts.title].map((name): [string, HardwareFacts] => [key(name), facts]),
  ).concat(HARDWARE.map((facts): [string, HardwareFacts] => [key(facts.id), facts])),
);

/** The device of that id, title or alias (nvidia-smi, node labels, people), in any case; null where the table has none. */
export const findHardware = (id: string): HardwareFacts | null => BY_NAME.get(key(id)) ?? null;

const INSTANCES: ReadonlyMap<string, { device: string; count: number }> = new Map(
  Object.entries(CLOUD_INSTANCES).map(([name, devices]) => [name.toLowerCase(), devices]),
);

/** Devices of a cloud instance, e.g. `p5.48xlarge`; null where the table has no such instance. */
export function findInstance(name: string): { facts: HardwareFacts; count: number } | null {
  const devices = INSTANCES.get(name.trim().toLowerCase());
  const facts = devices === undefined ? null : findHardware(devices.device);
  return facts === null || devices === undefined ? null : { facts, count: devices.count };
}

/** Ids of the table that a name which was not found may mean, nearest first. */
export const nearestHardware = (id: string): string[] =>
  nearestNames(
    id.replace(MAKERS, ''),
    HARDWARE.map((facts) => facts.id),
  );
