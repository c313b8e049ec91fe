import { z } from 'zod';
import { AppError } from '../errors';

export interface Page<T> {
  items: T[];
  /** Pass it back to get what follows; null at the end. */
  nextCursor: string | null;
}
export interface PageInput {
  cursor?: string | undefined;
  limit: number;
}

const cursorSchema = z.tuple([z.coerce.date(), z.uuid()]);

/** Keyset cursor over (time, id): rows that come or go meanwhile shift nothing. */
export const writeCursor = (at: Date, id: string): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

export function readCursor(cursor: string | undefined): { at: Date; id: string } | null {
  if (!cursor) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    value = null;
  }
  const parsed = cursorSchema.safeParse(value);
  if (!parsed.success) throw new AppError('bad-request', 'The cursor is not one of ours.');
  return { at: parsed.data[0], id: parsed.data[1] };
}

/** Cuts one row too many, read to know whether more follow. */
export function toPage<R, T>(
  rows: R[],
  limit: number,
  view: (row: R) => T,
  key: (row: R) => { at: Date; id: string },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const end = last === undefined ? null : key(last);
  return { items: shown.map(view), nextCursor: end && writeCursor(end.at, end.id) };
}

/** Rows after the cursor in the order (time, id) descending. */
export function afterCursor<K extends string>(cursor: string | undefined, field: K) {
  const at = readCursor(cursor);
  if (!at) return {};
  return { OR: [{ [field]: { lt: at.at } }, { [field]: at.at, id: { lt: at.id } }] };
}
