import { ByteReader, ByteWriter } from './bytes';
import type { Outcome, RequestRecord } from './records';

/**
 * Request records of one point, column by column, as differences of whole microseconds: small numbers in a row, which
 * deflate well. Records whose times are whole microseconds come back exactly; `text` is left out.
 */
const VERSION = 1;
const PHASES: readonly RequestRecord['phase'][] = ['warmup', 'measure', 'drain'];
const OUTCOMES: readonly Outcome[] = ['ok', 'shed', 'error', 'timeout'];

const toUs = (ms: number): number => Math.round(ms * 1000);
const toMs = (us: number): number => us / 1000;

/** How one column goes in and comes back; `previous` is the record before. */
type Column<T> = {
  write(out: ByteWriter, value: T, record: RequestRecord, previous: RequestRecord | null): void;
  read(from: ByteReader, record: RequestRecord, previous: RequestRecord | null): T;
};
type Columns = { [K in Exclude<keyof RequestRecord, 'text'>]: Column<RequestRecord[K]> };

const count: Column<number> = {
  write: (out, value) => out.unsigned(value),
  read: (from) => from.unsigned(),
};
const countOrNull: Column<number | null> = {
  write: (out, value) => out.unsigned(value === null ? 0 : value + 1),
  read: (from) => {
    const value = from.unsigned();
    return value === 0 ? null : value - 1;
  },
};
const oneOf = <T>(values: readonly T[]): Column<T> => ({
  write: (out, value) => out.unsigned(values.indexOf(value)),
  read: (from) => {
    const value = values[from.unsigned()];
    if (value === undefined) throw new RangeError('an unknown code in the columns');
    return value;
  },
});
/** A time as its distance from another one of the same record. */
const timeAfter = (base: (record: RequestRecord) => number): Column<number> => ({
  write: (out, value, record) => out.signed(toUs(value) - toUs(base(record))),
  read: (from, record) => toMs(from.signed() + toUs(base(record))),
});
const timeAfterOrNull = (base: (record: RequestRecord) => number): Column<number | null> => ({
  write: (out, value, record) => {
    out.byte(value === null ? 0 : 1);
    if (value !== null) out.signed(toUs(value) - toUs(base(record)));
  },
  read: (from, record) => (from.byte() === 0 ? null : toMs(from.signed() + toUs(base(record)))),
});

/** In the order of writing: a column may lean on those before it. */
const COLUMNS: Columns = {
  index: {
    write: (out, value, _, previous) => out.signed(value - (previous?.index ?? -1)),
    read: (from, _, previous) => from.signed() + (previous?.index ?? -1),
  },
  phase: oneOf(PHASES),
  scheduledMs: {
    write: (out, value, _, previous) => out.signed(toUs(value) - toUs(previous?.scheduledMs ?? 0)),
    read: (from, _, previous) => toMs(from.signed() + toUs(previous?.scheduledMs ?? 0)),
  },
  sentMs: timeAfter((r) => r.scheduledMs),
  chunkTimesMs: {
    write: (out, times, record) => {
      out.unsigned(times.length);
      let last = toUs(record.sentMs);
      for (const time of times) {
        out.signed(toUs(time) - last);
        last = toUs(time);
      }
    },
    read: (from, record) => {
      let last = toUs(record.sentMs);
      return Array.from({ length: from.unsigned() }, () => {
        last += from.signed();
        return toMs(last);
      });
    },
  },
  firstTokenMs: timeAfterOrNull((r) => r.chunkTimesMs[0] ?? r.sentMs),
  lastTokenMs: timeAfterOrNull((r) => r.chunkTimesMs.at(-1) ?? r.sentMs),
  endMs: timeAfter((r) => r.lastTokenMs ?? r.sentMs),
  outcome: oneOf(OUTCOMES),
  httpStatus: countOrNull,
  error: {
    write: (out, value) => {
      out.byte(value === null ? 0 : 1);
      if (value !== null) out.text(value);
    },
    read: (from) => (from.byte() === 0 ? null : from.text()),
  },
  inputTokens: countOrNull,
  cachedTokens: countOrNull,
  outputTokens: count,
  firstChunkTokens: count,
  requestedOutputTokens: count,
  chunkTokens: {
    write: (out, tokens) => {
      out.unsigned(tokens.length);
      for (const k of tokens) out.unsigned(k);
    },
    read: (from) => Array.from({ length: from.unsigned() }, () => from.unsigned()),
  },
  queueMs: timeAfterOrNull(() => 0),
};
const NAMES = Object.keys(COLUMNS) as (keyof Columns)[];

const emptyRecord = (): RequestRecord => ({
  index: 0,
  phase: 'measure',
  scheduledMs: 0,
  sentMs: 0,
  firstTokenMs: null,
  lastTokenMs: null,
  endMs: 0,
  outcome: 'ok',
  httpStatus: null,
  error: null,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: 0,
  firstChunkTokens: 0,
  requestedOutputTokens: 0,
  chunkTimesMs: [],
  chunkTokens: [],
  queueMs: null,
  text: null,
});

export function encodeColumns(records: readonly RequestRecord[]): Uint8Array {
  const out = new ByteWriter();
  out.byte(VERSION);
  out.unsigned(records.length);
  const writeColumn = <K extends keyof Columns>(name: K): void => {
    const column: Column<RequestRecord[K]> = COLUMNS[name];
    records.forEach((record, i) => {
      column.write(out, record[name], record, records[i - 1] ?? null);
    });
  };
  NAMES.forEach(writeColumn);
  return out.finish();
}

/** @throws RangeError when the bytes are none of ours */
export function decodeColumns(bytes: Uint8Array): RequestRecord[] {
  const from = new ByteReader(bytes);
  const version = from.byte();
  if (version !== VERSION) throw new RangeError(`columns of version ${version}; ${VERSION} is known`);
  const records = Array.from({ length: from.unsigned() }, emptyRecord);
  const readColumn = <K extends keyof Columns>(name: K): void => {
    const column: Column<RequestRecord[K]> = COLUMNS[name];
    records.forEach((record, i) => {
      record[name] = column.read(from, record, records[i - 1] ?? null);
    });
  };
  NAMES.forEach(readColumn);
  return records;
}
