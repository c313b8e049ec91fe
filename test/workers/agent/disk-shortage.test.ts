import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { diskShortage } from '@/workers/agent/disk-shortage';
import { freeDiskBytes } from '@/workers/host/disk';

describe('the room that a trial needs', () => {
  it('is 1 GB of the work folder’s disk', () => {
    expect(diskShortage(1e9, '/w')).toBeNull();
    expect(diskShortage(1e9 - 1, '/w')).toBe('the disk of /w has 0.99 GB free; under 1 GB no trial starts');
    expect(diskShortage(0, '/w')).toContain('0.00 GB free');
  });

  it('is read from the disk itself', async () => {
    const bytes = await freeDiskBytes(tmpdir());
    expect(Number.isSafeInteger(bytes)).toBe(true);
    expect(bytes).toBeGreaterThan(0);
    await expect(freeDiskBytes('/nowhere/at/all')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
