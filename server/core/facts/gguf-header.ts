/** A metadata value that is kept: scalars, texts, and short lists of numbers (one for each layer, say). */
export type GgufValue = number | string | boolean | readonly number[] | { length: number };

export interface GgufHeader {
  version: number;
  metadata: ReadonlyMap<string, GgufValue>;
  tensors: readonly { name: string; shape: readonly number[]; type: number }[];
}

/**
 * `more`: the bytes end within the header; it needs at least `bytes`. `invalid`: no GGUF file, or a damaged one, with
 * the place.
 */
export type GgufRead =
  | { kind: 'complete'; header: GgufHeader }
  | { kind: 'more'; bytes: number; metadata: ReadonlyMap<string, GgufValue> }
  | { kind: 'invalid'; message: string };

const LARGEST = {
  entries: 100_000,
  tensors: 1_000_000,
  text: 16 * 2 ** 20,
  list: 64 * 2 ** 20,
  kept: 4096,
  dimensions: 8,
};

/** Widths of the scalar types, bytes, by their number in the file. */
const WIDTHS: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const TEXT = 8;
const LIST = 9;

class NeedsMore extends Error {
  constructor(readonly bytes: number) {
    super('the bytes end within the header');
  }
}
class Damaged extends Error {}

class Cursor {
  at = 0;
  private readonly view: DataView;
  private readonly decoder = new TextDecoder();

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  /** Start of the next `length` bytes; goes past them. */
  take(length: number): number {
    const from = this.at;
    if (from + length > this.bytes.byteLength) throw new NeedsMore(from + length);
    this.at = from + length;
    return from;
  }
  u32 = (): number => this.view.getUint32(this.take(4), true);
  /** A count; 2^53 and more are damage. */
  u64(what: string, largest: number): number {
    const from = this.take(8);
    const value = this.view.getBigUint64(from, true);
    if (value > BigInt(largest)) throw new Damaged(`${what} at byte ${from} is ${value}, more than ${largest}`);
    return Number(value);
  }
  text(what: string): string {
    const length = this.u64(`the length of ${what}`, LARGEST.text);
    const from = this.take(length);
    return this.decoder.decode(this.bytes.subarray(from, from + length));
  }
  scalar(type: number, what: string): number | boolean {
    const from = this.take(WIDTHS[type] ?? 0);
    switch (type) {
      case 0:
        return this.view.getUint8(from);
      case 1:
        return this.view.getInt8(from);
      case 2:
        return this.view.getUint16(from, true);
      case 3:
        return this.view.getInt16(from, true);
      case 4:
        return this.view.getUint32(from, true);
      case 5:
        return this.view.getInt32(from, true);
      case 6:
        return this.view.getFloat32(from, true);
      case 7:
        return this.view.getUint8(from) !== 0;
      case 10:
        return Number(this.view.getBigUint64(from, true));
      case 11:
        return Number(this.view.getBigInt64(from, true));
      case 12:
        return this.view.getFloat64(from, true);
      default:
        throw new Damaged(`${what} has the value type ${type}, which GGUF does not have`);
    }
  }
}

/** Entries of a list of texts or of long lists are passed over: only their number counts. */
function readList(cursor: Cursor, name: string, keep: (value: GgufValue) => void): void {
  const type = cursor.u32();
  const length = cursor.u64(`the length of ${name}`, LARGEST.list);
  // Known before the entries are there: a vocabulary of some megabytes may be cut off.
  keep({ length });
  if (type === LIST) throw new Damaged(`${name} is a list of lists`);
  if (type === TEXT) {
    for (let index = 0; index < length; index++) cursor.take(cursor.u64(`an entry of ${name}`, LARGEST.text));
    return;
  }
  const width = WIDTHS[type];
  if (width === undefined) throw new Damaged(`${name} holds values of type ${type}, which GGUF does not have`);
  if (length > LARGEST.kept) {
    cursor.take(width * length);
    return;
  }
  const values: number[] = [];
  for (let index = 0; index < length; index++) values.push(Number(cursor.scalar(type, name)));
  keep(values);
}

function readMetadata(cursor: Cursor, entries: number, metadata: Map<string, GgufValue>): void {
  for (let index = 0; index < entries; index++) {
    const name = cursor.text(`key ${index}`);
    const type = cursor.u32();
    if (type === TEXT) metadata.set(name, cursor.text(name));
    else if (type === LIST) readList(cursor, name, (value) => metadata.set(name, value));
    else metadata.set(name, cursor.scalar(type, name));
  }
}

function readTensors(cursor: Cursor, tensors: number): GgufHeader['tensors'] {
  return Array.from({ length: tensors }, (_, index) => {
    const name = cursor.text(`the name of tensor ${index}`);
    const dimensions = cursor.u32();
    if (dimensions > LARGEST.dimensions) throw new Damaged(`tensor ${name} has ${dimensions} dimensions`);
    const shape = Array.from({ length: dimensions }, () => cursor.u64(`a dimension of ${name}`, 2 ** 48));
    const type = cursor.u32();
    cursor.take(8);
    return { name, shape, type };
  });
}

const MAGIC = 0x46554747;
const VERSIONS = [2, 3];

function readAll(cursor: Cursor, metadata: Map<string, GgufValue>): GgufHeader {
  if (cursor.u32() !== MAGIC) throw new Damaged('the first four bytes are not GGUF');
  const version = cursor.u32();
  if (!VERSIONS.includes(version)) {
    const isSwapped = VERSIONS.some((known) => version === known * 2 ** 24);
    throw new Damaged(isSwapped ? 'the file is big-endian' : `version ${version} is not one of ${VERSIONS.join(', ')}`);
  }
  const tensors = cursor.u64('the number of tensors', LARGEST.tensors);
  const entries = cursor.u64('the number of metadata entries', LARGEST.entries);
  readMetadata(cursor, entries, metadata);
  return { version, metadata, tensors: readTensors(cursor, tensors) };
}

/** Header of a GGUF file from its first bytes. Pure and bounded: lengths in the file are checked before they are used. */
export function readGgufHeader(bytes: Uint8Array): GgufRead {
  const metadata = new Map<string, GgufValue>();
  try {
    return { kind: 'complete', header: readAll(new Cursor(bytes), metadata) };
  } catch (error) {
    if (error instanceof NeedsMore) return { kind: 'more', bytes: error.bytes, metadata };
    if (error instanceof Damaged) return { kind: 'invalid', message: error.message };
    throw error;
  }
}
