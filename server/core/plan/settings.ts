import { z } from 'zod';

/** GGML types that llama.cpp accepts for a KV cache; anything else silently means F16 there. */
export const KV_CACHE_TYPES = ['F32', 'F16', 'BF16', 'Q8_0', 'Q5_1', 'Q5_0', 'Q4_0', 'IQ4_NL'] as const;

const onOff = z.enum(['on', 'off']);
const count = z.number().int().positive();

/**
 * Every setting that a plan can hold, engine-neutral and physical. A lowering table has one entry for each
 * key of this object (tsc lists what a new setting still lacks). Units are last in the name.
 */
export const settingSchemas = {
  /** Weight format of the scope's checkpoint, e.g. `gguf:Q4_K_M`, `safetensors:bf16`. */
  weightsFormat: z.string(),
  flashAttention: onOff,
  kvCacheKeyType: z.enum([...KV_CACHE_TYPES, 'FP8']),
  kvCacheValueType: z.enum([...KV_CACHE_TYPES, 'FP8']),
  prefixCaching: onOff,
  /** Tokens (prompt + output) that one sequence may hold. */
  contextTokensPerSequence: count,
  /** StreamingLLM: `sinkTokens` first tokens are kept, the rest slides; needs context shift. */
  sinkTokens: z.number().int().nonnegative(),
  /** Sequences decoded at the same time. */
  maxSequences: count,
  /** Prompt tokens processed in one engine step beside the decoding streams. */
  prefillTokensPerStep: count,
  threads: count,
  /** Requests that may wait; one more gets 429. */
  queueLimit: z.number().int().nonnegative(),
  /** Name of a secret (`INFERLOOM_SECRET_…`), never its value. */
  apiKeySecret: z.string().regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/),
  speculation: z.enum(['off', 'draft-model', 'prompt-lookup']),
  /** Tokens drafted a step (k). */
  draftTokens: count,
  promptLookupMinTokens: count,
  promptLookupMaxTokens: count,
  tensorParallel: count,
  /** Share of the device's memory that the engine may use, 0…1 (vLLM's meaning; others convert or refuse). */
  memoryFraction: z.number().gt(0).max(1),
  /** Request defaults: kind `request`, never in argv. */
  temperature: z.number().nonnegative(),
  topP: z.number().gt(0).max(1),
  topK: z.number().int().nonnegative(),
  minP: z.number().min(0).max(1),
  beams: count,
} as const;

export type SettingName = keyof typeof settingSchemas;
export type SettingValues = { [K in SettingName]: z.infer<(typeof settingSchemas)[K]> };
export const SETTING_NAMES = Object.keys(settingSchemas) as SettingName[];
export const REQUEST_SETTINGS = ['temperature', 'topP', 'topK', 'minP', 'beams'] as const satisfies SettingName[];

/** Into which part of a plan a value is imported. */
export const SCOPES = ['target', 'draft', 'prefill', 'decode', 'adapter'] as const;
export type Scope = (typeof SCOPES)[number];

/** What one node asks for. `value` null means the technique is switched off where the setting has no off value. */
export interface AskedSetting<K extends SettingName = SettingName> {
  scope: Scope;
  name: K;
  value: SettingValues[K];
  nodeId: string;
  field: string;
}
