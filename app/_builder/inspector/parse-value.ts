import type { ParamDescription } from '@/server/core/catalog/param';
import { nodeTypeOf } from '../catalog';

export type ParsedValue = { ok: true; value: unknown } | { ok: false; message: string };

/** What a person typed as the parameter's type wants it; '' means "not set". Range and form are checked apart. */
function readText(param: ParamDescription, text: string): ParsedValue {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: undefined };
  if (param.type !== 'integer' && param.type !== 'number') return { ok: true, value: trimmed };
  const value = Number(trimmed.replaceAll(',', ''));
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, message: `“${trimmed}” is not a number.` };
}

/** Checks one value by the node type's own schema. */
export function checkValue(type: string, field: string, value: unknown): string | null {
  if (value === undefined) return null;
  const schema = nodeTypeOf(type)?.params.shape[field];
  if (!schema) return null;
  const parsed = schema.safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'This value is not allowed.');
}

export function parseValue(type: string, param: ParamDescription, text: string): ParsedValue {
  const read = readText(param, text);
  if (!read.ok) return read;
  const message = checkValue(type, param.name, read.value);
  return message === null ? read : { ok: false, message };
}

/** Several values, separated by commas (or spaces between numbers); each once. */
export function parseValues(type: string, param: ParamDescription, text: string): ParsedValue {
  const parts = text
    .split(param.type === 'integer' || param.type === 'number' ? /[\s,;]+/ : /[,;\n]/)
    .filter((part) => part.trim());
  const values: unknown[] = [];
  for (const part of parts) {
    const parsed = parseValue(type, param, part);
    if (!parsed.ok) return parsed;
    if (!values.includes(parsed.value)) values.push(parsed.value);
  }
  return { ok: true, value: values };
}

/** The entries of a free list, separated by commas or lines, checked as one value; '' means "not set". */
export function parseList(type: string, param: ParamDescription, text: string): ParsedValue {
  const entries = text.split(/[,;\n]/).flatMap((part) => part.trim() || []);
  if (entries.length === 0) return { ok: true, value: undefined };
  const value = [...new Set(entries)];
  const message = checkValue(type, param.name, value);
  return message === null ? { ok: true, value } : { ok: false, message };
}

const grouped = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });

/** `1–4,096`, `at least 1`, `at most 1`, or null. */
export function rangeText({ min, max }: ParamDescription): string | null {
  if (min !== null && max !== null) return `${grouped(min)}–${grouped(max)}`;
  if (min !== null) return `at least ${grouped(min)}`;
  return max === null ? null : `at most ${grouped(max)}`;
}
