import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isExact, type StampError, stampErrorSchema } from '@/server/core/metrics/stamp-error';
import type { Load } from '@/server/core/workload/workload';
import { calibrate, streamsOf } from './calibrate';

const fileSchema = z.object({ host: z.string(), levels: z.record(z.string(), stampErrorSchema) });
type Levels = z.infer<typeof fileSchema>['levels'];

/** What is known of the client on this host; null where it could not be measured. */
export type Calibrate = (load: Load, signal: AbortSignal) => Promise<StampError | null>;

/** Levels of another host, or of a file that cannot be read, count as not measured. */
async function readLevels(file: string, host: string): Promise<Levels> {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success && parsed.data.host === host ? parsed.data.levels : {};
  } catch {
    return {};
  }
}

async function writeLevels(file: string, host: string, levels: Levels): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.part`, JSON.stringify({ host, levels }));
  await rename(`${file}.part`, file);
}

/** What a calibration holds for. */
const hostKey = (): string =>
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, Node ${process.version}`;

/**
 * Calibrations kept per host and level in a file of that folder. A poor one is told but not kept: the host was busy, and the next
 * measurement tries again.
 */
export function createCalibrations(folder: string, measure = calibrate, host = hostKey()): Calibrate {
  const file = path.join(folder, 'calibration.json');
  return async (load, signal) => {
    const streams = streamsOf(load);
    const levels = await readLevels(file, host);
    const known = levels[streams];
    if (known) return known;
    const error = await measure(streams, signal);
    if (error !== null && isExact(error)) await writeLevels(file, host, { ...levels, [streams]: error });
    return error;
  };
}
