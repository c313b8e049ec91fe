import type { z } from 'zod';
import { type SettingName, settingSchemas } from '../../plan/settings';

const GIB = 1024 ** 3;

/** Every value of a setting that has few; null for numbers, texts and lists. */
export function choicesOf(name: SettingName): readonly unknown[] | null {
  const schema = settingSchemas[name] as z.ZodType & { options?: readonly unknown[] };
  if (Array.isArray(schema.options)) return schema.options;
  return schema.safeParse(true).success ? [true, false] : null;
}

/** Two values to try a numeric setting with; null for others. */
export function probesOf(name: SettingName, index: number): readonly [number, number] | null {
  const schema: z.ZodType = settingSchemas[name];
  const fits = (values: readonly [number, number]): boolean => values.every((value) => schema.safeParse(value).success);
  const offset = 2 * index;
  if (name.endsWith('Bytes')) return [(8 + offset) * GIB, (16 + offset) * GIB];
  const counts = [64 + offset, 128 + offset] as const;
  const shares = [0.5, 0.25] as const;
  return fits(counts) ? counts : fits(shares) ? shares : null;
}

/** A solved number as the setting takes it: itself, else the whole numbers next to it. */
export function roundings(name: SettingName, value: number): number[] {
  const schema: z.ZodType = settingSchemas[name];
  const near = Math.round(value * 1e9) / 1e9;
  // A share that was converted and rounded on the way was a round one before.
  const round = [1, 2, 3].map((digits) => Number(value.toFixed(digits)));
  const units = name.endsWith('Bytes')
    ? [GIB, 1e9].flatMap((unit) => [Math.ceil, Math.floor].map((to) => to(value / unit) * unit))
    : [];
  return [...new Set([...round, near, ...units, Math.round(value), Math.floor(value), Math.ceil(value)])].filter(
    (candidate) => schema.safeParse(candidate).success,
  );
}
