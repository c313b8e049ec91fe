/** What is known of a device. Null: not recorded. Peaks are dense, per device. */
export interface HardwareFacts {
  id: string;
  title: string;
  kind: 'cpu' | 'gpu';
  vendor: 'nvidia' | 'amd' | 'intel' | 'apple' | 'arm' | null;
  /** NVIDIA: compute capability, e.g. `8.9`; AMD: the gfx name. */
  computeCapability: string | null;
  memoryBytes: number | null;
  bandwidthBytesPerS: number | null;
  peakTflops: Readonly<Partial<Record<'fp32' | 'tf32' | 'fp16' | 'bf16' | 'fp8' | 'fp4' | 'int8' | 'int4', number>>>;
  cores: number | null;
  /** Lowest on-demand quote for one device, USD per hour. */
  pricePerHourUsd: number | null;
  source: string;
}
