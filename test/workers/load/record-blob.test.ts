import { describe, expect, it } from 'vitest';
import { answered } from '@/test/fixtures/request-records';
import { decodeRecords, encodeRecords } from '@/workers/load/record-blob';

describe('record blobs', () => {
  const records = Array.from({ length: 50 }, (_, i) => answered(i * 150, { itlMs: 9, tokens: 32 }, { index: i }));

  it('come back as they went', async () => {
    expect(await decodeRecords(await encodeRecords(records))).toEqual(records);
  });

  it('take few bytes: a demo trial stays far under its 50 kB', async () => {
    const blob = await encodeRecords(records);
    expect(blob.length / (50 * 32)).toBeLessThan(3);
  });

  it('refuse what is none of ours', async () => {
    await expect(decodeRecords('nonsense')).rejects.toThrow();
  });
});
