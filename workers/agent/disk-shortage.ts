const GB = 1e9;
const LEAST_BYTES = GB;

/** Why no trial may start on this disk, or null where it may: events and checkpoints need room to be written whole. */
export function diskShortage(freeBytes: number, folder: string): string | null {
  if (freeBytes >= LEAST_BYTES) return null;
  return `the disk of ${folder} has ${(Math.floor(freeBytes / (GB / 100)) / 100).toFixed(2)} GB free; under 1 GB no trial starts`;
}
