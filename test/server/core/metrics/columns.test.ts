import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeColumns, encodeColumns } from '@/server/core/metrics/columns';
import type { RequestRecord } from '@/server/core/metrics/records';
import { answered, failed } from '@/test/fixtures/request-records';

const us = fc.nat(10_000_000).map((value) => value / 1000);
const nat = fc.nat(100_000);
const record: fc.Arbitrary<RequestRecord> = fc.record({
  index: nat,
  phase: fc.constantFrom('warmup', 'measure', 'drain'),
  scheduledMs: us,
  sentMs: us,
  firstTokenMs: fc.option(us),
  lastTokenMs: fc.option(us),
  endMs: us,
  outcome: fc.constantFrom('ok', 'shed', 'error', 'timeout'),
  httpStatus: fc.option(nat),
  error: fc.option(fc.string()),
  inputTokens: fc.option(nat),
  cachedTokens: fc.option(nat),
  outputTokens: nat,
  firstChunkTokens: nat,
  requestedOutputTokens: nat,
  chunkTimesMs: fc.array(us),
  chunkTokens: fc.array(nat),
  queueMs: fc.option(us),
  text: fc.constant(null),
});

describe('columns', () => {
  it('bring back any records whose times are whole microseconds', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        expect(decodeColumns(encodeColumns(records))).toEqual(records);
      }),
      { numRuns: 50 },
    );
  });

  it('leave the texts out', () => {
    expect(decodeColumns(encodeColumns([answered(0, {}, { text: 'words' })]))[0]?.text).toBeNull();
  });

  it('take a few bytes a token', () => {
    const records = Array.from({ length: 100 }, (_, i) => answered(i * 150, { tokens: 64 }, { index: i }));
    expect(encodeColumns(records).length / (100 * 64)).toBeLessThan(4.5);
  });

  it('refuse foreign and cut bytes', () => {
    expect(() => decodeColumns(Uint8Array.of(9, 1))).toThrow(/version 9/);
    const bytes = encodeColumns([failed(0, 'error')]);
    expect(() => decodeColumns(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  });
});
