import { z } from 'zod';
import table from './hardware.json';
import { type HardwareFacts, hardwareFactsSchema } from './hardware-facts';

export const HARDWARE: readonly HardwareFacts[] = z.array(hardwareFactsSchema).parse(table.hardware);

const BY_ID: ReadonlyMap<string, HardwareFacts> = new Map(HARDWARE.map((facts) => [facts.id.toLowerCase(), facts]));

/** The device of that id, in any case; null where the table has none. */
export const findHardware = (id: string): HardwareFacts | null => BY_ID.get(id.trim().toLowerCase()) ?? null;
