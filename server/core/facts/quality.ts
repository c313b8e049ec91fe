import { z } from 'zod';
import table from './quality.json';

const row = z
  .tuple([
    z.string(),
    z.string(),
    z.union([z.number(), z.string()]).nullable(),
    z.string(),
    z.boolean().nullable(),
    z.number().nullable(),
    z.number().nullable(),
    z.number().nullable(),
    z.string().nullable(),
    z.number().int().nonnegative(),
  ])
  .transform(([model, technique, bits, metric, higherIsBetter, baseline, value, relativePercent, notes, source]) => ({
    model,
    technique,
    bits,
    metric,
    higherIsBetter,
    baseline,
    value,
    relativePercent,
    notes,
    source: table.sources[source] ?? 'not recorded',
  }));

/**
 * One published measurement of what a technique does to quality. Perplexities of different sources were taken over
 * different lengths: compare only within one source. Null: not published.
 */
export type QualityEffect = Readonly<z.infer<typeof row>>;

/** Read when first asked for: pages that show no effects do not pay for 421 rows. */
let effects: readonly QualityEffect[] | null = null;
export function qualityEffects(): readonly QualityEffect[] {
  effects ??= z.array(row).parse(table.rows);
  return effects;
}

/** Bits a weight of formats other than GGUF, scales included; null where it is free to choose. */
export const OTHER_FORMATS: readonly { format: string; bitsPerWeight: number | null; notes: string | null }[] =
  table.otherFormats;

/** Blocks of the ggml types: so many weights of one row in so many bytes. */
export const BLOCK_TYPES: readonly { type: string; blockWeights: number; bytesPerBlock: number }[] = table.blockTypes;
