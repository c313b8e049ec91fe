/** Traffic shapes to measure an endpoint with. Lengths in tokens, window in seconds a block. */
export interface Preset {
  id: string;
  title: string;
  inputTokens: number;
  outputTokens: number;
  concurrency: number;
  windowS: number;
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'chat',
    title: 'Chat: 512 in, 128 out, 4 clients',
    inputTokens: 512,
    outputTokens: 128,
    concurrency: 4,
    windowS: 15,
  },
  {
    id: 'short',
    title: 'Short: 64 in, 32 out, 1 client',
    inputTokens: 64,
    outputTokens: 32,
    concurrency: 1,
    windowS: 10,
  },
  {
    id: 'busy',
    title: 'Busy: 512 in, 128 out, 16 clients',
    inputTokens: 512,
    outputTokens: 128,
    concurrency: 16,
    windowS: 20,
  },
];

/** Warm-up, ramp and drain that a block takes on top of its window. */
const AROUND_S = 10;

/** Least seconds that a measurement takes: endpoints one after the other, block by block. */
export const leastSeconds = (preset: Preset, endpoints: number, blocks: number): number =>
  endpoints * blocks * (preset.windowS + AROUND_S);
