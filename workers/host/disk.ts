import { statfs } from 'node:fs/promises';

/** Bytes that may still be written on the disk of this folder. */
export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
