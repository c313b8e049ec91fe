import { z } from 'zod';

const positive = z.number().positive();

/** One quote for one device. `date`: of the snapshot that was read, to the year or month. */
const priceSchema = z.object({
  provider: z.string(),
  usdPerHour: positive,
  date: z.string().regex(/^\d{4}/),
  /** ownership: total cost of owning one; rental: contract of years. */
  kind: z.enum(['on-demand', 'ownership', 'rental']),
  source: z.string(),
});
export type Price = Readonly<z.infer<typeof priceSchema>>;

/** What is known of a device. Null: not recorded. Peaks are dense, per device, TFLOPS (TOPS for integers). */
export const hardwareFactsSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  vendor: z.enum(['nvidia', 'amd', 'intel', 'apple', 'arm']).nullable(),
  /** Architecture as the vendor names it, e.g. `Hopper GH100`. */
  generation: z.string().nullable(),
  /** NVIDIA: compute capability, e.g. `8.9`; AMD: the gfx name. */
  computeCapability: z.string().nullable(),
  /** The vendor's decimal figure. */
  memoryBytes: positive.nullable(),
  /** What the driver shows. */
  usableMemoryBytes: positive.nullable(),
  memoryType: z.string().nullable(),
  bandwidthBytesPerS: positive.nullable(),
  peakTflops: z.partialRecord(z.enum(['fp32', 'tf32', 'fp16', 'bf16', 'fp8', 'fp4', 'int8', 'int4']), positive),
  /** Best matrix product that somebody measured. */
  measuredMatmul: z
    .object({ bf16Tflops: positive.nullish(), fp8Tflops: positive.nullish(), source: z.string() })
    .nullable(),
  /** Last-level cache. */
  cacheBytes: positive.nullable(),
  cores: positive.nullable(),
  /** Link between devices of one host; `bytesPerSBothWays` is the vendor's sum of both directions. */
  interconnect: z.object({ type: z.string(), bytesPerSBothWays: positive.nullable() }).nullable(),
  pcie: z.string().nullable(),
  powerW: positive.nullable(),
  /** Lowest on-demand quote for one device, USD per hour. */
  pricePerHourUsd: positive.nullable(),
  prices: z.array(priceSchema),
  notes: z.string().nullable(),
  source: z.string(),
});
export type HardwareFacts = Readonly<z.infer<typeof hardwareFactsSchema>>;

/** Compute capability × 10 of an NVIDIA device (89 for 8.9); null for others and where nobody recorded it. */
export function computeCapabilityOf(facts: HardwareFacts | null): number | null {
  if (facts?.vendor !== 'nvidia' || facts.computeCapability === null) return null;
  return Math.round(Number(facts.computeCapability) * 10);
}
