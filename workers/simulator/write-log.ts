import { createWriteStream } from 'node:fs';

/** When one request's bytes really were handed to the socket, ns on the host's monotonic clock (hrtime). */
export interface WriteLogEntry {
  requestId: string | null;
  index: number;
  status: number;
  receivedNs: bigint;
  /** One entry a chunk that carried tokens. */
  writesNs: bigint[];
  chunkTokens: number[];
  endNs: bigint;
  promptTokens: number;
  outputTokens: number;
  fault: string | null;
}

const toJson = (entry: WriteLogEntry): string =>
  JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? value.toString() : value));

/** JSON lines in a file, ns as decimal strings. */
export function openWriteLog(file: string): { write(entry: WriteLogEntry): void; close(): Promise<void> } {
  const stream = createWriteStream(file, { flags: 'w' });
  return {
    write: (entry) => {
      stream.write(`${toJson(entry)}\n`);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
