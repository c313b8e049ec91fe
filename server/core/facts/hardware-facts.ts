import { z } from 'zod';

const positive = z.number().positive();

/** What is known of a device. Null: not recorded. Peaks are dense, per device, TFLOPS (TOPS for integers). */
export const hardwareFactsSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['cpu', 'gpu']),
  vendor: z.enum(['nvidia', 'amd', 'intel', 'apple', 'arm']).nullable(),
  /** NVIDIA: compute capability, e.g. `8.9`; AMD: the gfx name. */
  computeCapability: z.string().nullable(),
  memoryBytes: positive.nullable(),
  bandwidthBytesPerS: positive.nullable(),
  peakTflops: z.partialRecord(z.enum(['fp32', 'tf32', 'fp16', 'bf16', 'fp8', 'fp4', 'int8', 'int4']), positive),
  cores: positive.nullable(),
  /** Lowest on-demand quote for one device, USD per hour. */
  pricePerHourUsd: positive.nullable(),
  source: z.string(),
});
export type HardwareFacts = Readonly<z.infer<typeof hardwareFactsSchema>>;
