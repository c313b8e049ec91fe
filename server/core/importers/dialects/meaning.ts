import type { Mark } from '../mark';
import { leafOf, nested } from '../nested-yaml';
import { isRecord } from '../read-yaml';
import type { Reading } from '../reading';
import { canonicalValue } from '../recover/literal';

const DTYPES: Readonly<Record<string, string>> = {
  half: 'float16',
  fp16: 'float16',
  bf16: 'bfloat16',
  float: 'float32',
  fp32: 'float32',
};

/** `half` is float16, `float` is float32, as PyTorch's engines read them. */
export function meanDtype(reading: Reading, flag: string): void {
  const text = reading.value(flag);
  const meant = DTYPES[text?.toLowerCase() ?? ''];
  if (meant === undefined) return;
  reading.mean(flag, meant);
  reading.say('info', 'value-read', `${flag} ${text} is ${meant}.`);
}

/** JSON of a mark; null where it is none. */
export function jsonOf(mark: Mark | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(mark?.value ?? '');
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Joins `--flag '{…}'` and its parts `--flag.key value` into one mark with all of it. */
export function joinParts(reading: Reading, flag: string): void {
  const marks = reading.marks().filter((mark) => mark.name === flag);
  const [first] = marks;
  if (first === undefined || marks.every(({ spelling }) => (spelling?.path ?? null) === null)) return;
  const parts: [string, unknown][] = [];
  for (const mark of marks) {
    const path = mark.spelling?.path ?? null;
    if (path !== null && mark.value !== null) parts.push([path.replaceAll('-', '_'), leafOf(mark.value)]);
    else parts.push(...Object.entries(jsonOf(mark) ?? {}));
  }
  const spelling = first.spelling && { ...first.spelling, path: null };
  reading.join(marks, { ...first, spelling, value: canonicalValue(JSON.stringify(nested(parts))) });
}

const SUFFIXES: Readonly<Record<string, number>> = { k: 1e3, K: 1024, m: 1e6, M: 1024 ** 2, g: 1e9, G: 1024 ** 3 };
const READABLE = /^(\d+(?:\.\d+)?)([kKmMgG])$/;

/** `8k` (8000) and `8K` (8192), as vLLM's human_readable_int. */
export function meanReadable(reading: Reading, flag: string, nodeId: string | null): void {
  const text = reading.value(flag);
  const [, number, suffix = ''] = READABLE.exec(text ?? '') ?? [];
  const value = Number(number) * (SUFFIXES[suffix] ?? Number.NaN);
  if (!Number.isInteger(value)) return;
  reading.mean(flag, String(value));
  reading.say('info', 'number-read', `${flag} ${text} is ${value}.`, nodeId);
}

/** Product of the counts under these names; one that is absent or no number counts once. */
export const product = (reading: Reading, ...names: readonly string[]): number =>
  names.map((name) => Math.max(1, reading.integer(name) ?? 1)).reduce((total, n) => total * n, 1);
