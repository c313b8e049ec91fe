import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { decodeColumns, encodeColumns } from '@/server/core/metrics/columns';
import type { RequestRecord } from '@/server/core/metrics/records';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Records as they travel and are kept: columns (core/metrics/columns), deflated (raw), base64. */
export async function encodeRecords(records: readonly RequestRecord[]): Promise<string> {
  return (await deflate(encodeColumns(records), { level: 6 })).toString('base64');
}

/** @throws when the text is none of ours */
export async function decodeRecords(blob: string): Promise<RequestRecord[]> {
  return decodeColumns(await inflate(Buffer.from(blob, 'base64')));
}
