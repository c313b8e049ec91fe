import type { Prisma } from './generated/client';

const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;

/** PostgreSQL's jsonb refuses NUL and lone surrogates, which an engine's log may well hold. */
const clean = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').replace(LONE_SURROGATE, '\uFFFD') : value;

/** JSON text that a jsonb column takes. */
export const jsonText = (value: unknown): string => JSON.stringify(value, clean);

/** A document as Prisma's JSON input: what would not survive JSON is dropped here, visibly in the types. */
export const toJson = (value: unknown): Prisma.InputJsonObject => JSON.parse(jsonText(value));
export const toJsonArray = (value: readonly unknown[]): Prisma.InputJsonArray => JSON.parse(jsonText(value));
