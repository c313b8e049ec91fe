import { parseArgs } from 'node:util';
import { KV_CACHE_TYPES } from '@/server/core/plan/settings';

export type KvCacheType = (typeof KV_CACHE_TYPES)[number];
export type SpeculationKind = 'none' | 'draft-model' | 'prompt-lookup';

/** What one engine process runs with. Token counts are tokens; `contextTokens` is the total over all sequences. */
export interface EngineOptions {
  model: string;
  alias: string;
  contextTokens: number;
  sequences: number;
  batchTokens: number;
  ubatchTokens: number;
  flashAttention: 'on' | 'off' | 'auto';
  cacheTypeK: KvCacheType;
  cacheTypeV: KvCacheType;
  cachePrompt: boolean;
  keepTokens: number;
  contextShift: boolean;
  threads: number;
  speculation: SpeculationKind;
  draftModel: string | null;
  draftTokens: number;
  lookupMinTokens: number;
  lookupMaxTokens: number;
  lookupMinHits: number;
  queueLimit: number;
  apiKey: string | null;
  host: string;
  port: number;
}

/** Wrong usage: one line for stderr, exit code 2. */
export class UsageError extends Error {}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The names are llama-server's; `--queue-limit` and the two `--spec-ngram-size-…` bounds are this engine's own. */
export const ENGINE_FLAGS = {
  model: { ...text, short: 'm' },
  alias: { ...text, short: 'a' },
  'ctx-size': { ...text, short: 'c' },
  parallel: text,
  'batch-size': { ...text, short: 'b' },
  'ubatch-size': text,
  'flash-attn': text,
  'cache-type-k': text,
  'cache-type-v': text,
  'cache-prompt': flag,
  'no-cache-prompt': flag,
  keep: text,
  'context-shift': flag,
  'no-context-shift': flag,
  threads: { ...text, short: 't' },
  'model-draft': text,
  'spec-type': text,
  'spec-draft-n-max': text,
  'spec-ngram-simple-size-n': text,
  'spec-ngram-simple-size-m': text,
  'spec-ngram-simple-min-hits': text,
  'queue-limit': text,
  'api-key': text,
  host: text,
  port: text,
} as const;

const SPEC_TYPES: Record<string, SpeculationKind> = {
  none: 'none',
  'draft-simple': 'draft-model',
  'ngram-simple': 'prompt-lookup',
};

type Values = { [K in keyof typeof ENGINE_FLAGS]?: string | boolean };

function integer(values: Values, name: keyof typeof ENGINE_FLAGS, fallback: number, min: number, max: number): number {
  const raw = values[name];
  if (raw === undefined) return fallback;
  const value = Number(raw);
  if (!/^-?\d+$/.test(String(raw)) || value < min || value > max)
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${String(raw)}"`);
  return value;
}

function oneOf<T extends string>(
  values: Values,
  name: keyof typeof ENGINE_FLAGS,
  allowed: readonly T[],
  fallback: T,
): T {
  const raw = values[name];
  if (raw === undefined) return fallback;
  const found = allowed.find((a) => a.toLowerCase() === String(raw).toLowerCase());
  if (!found)
    throw new UsageError(`--${name} must be one of ${allowed.join(', ').toLowerCase()}, not "${String(raw)}"`);
  return found;
}

function parse(argv: readonly string[]): Values {
  try {
    return parseArgs({ args: [...argv], options: ENGINE_FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ')[0]);
  }
}

function speculationOf(values: Values): Pick<EngineOptions, 'speculation' | 'draftModel'> {
  const draftModel = values['model-draft'] === undefined ? null : String(values['model-draft']);
  const raw = values['spec-type'];
  const speculation = raw === undefined ? (draftModel ? 'draft-model' : 'none') : SPEC_TYPES[String(raw)];
  if (!speculation)
    throw new UsageError(`--spec-type must be one of ${Object.keys(SPEC_TYPES).join(', ')}, not "${String(raw)}"`);
  if (speculation === 'draft-model' && !draftModel)
    throw new UsageError('--spec-type draft-simple needs --model-draft');
  return { speculation, draftModel: speculation === 'draft-model' ? draftModel : null };
}

/**
 * argv (without executable and script) → options. `env.LLAMA_API_KEY` stands for `--api-key`, as in llama-server, so
 * that a key need not show in the list of processes. Throws UsageError.
 */
export function parseEngineFlags(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): EngineOptions {
  const values = parse(argv);
  const model = values.model;
  if (typeof model !== 'string' || model === '') throw new UsageError('--model FILE is required');
  for (const [on, off] of [
    ['cache-prompt', 'no-cache-prompt'],
    ['context-shift', 'no-context-shift'],
  ] as const)
    if (values[on] && values[off]) throw new UsageError(`--${on} and --${off} contradict each other`);
  const lookupMaxTokens = integer(values, 'spec-ngram-simple-size-n', 3, 1, 64);
  const speculation = speculationOf(values);
  const mTokens = integer(values, 'spec-ngram-simple-size-m', 48, 1, 64);
  const draftTokens = integer(
    values,
    'spec-draft-n-max',
    speculation.speculation === 'prompt-lookup' ? mTokens : 3,
    1,
    64,
  );
  return {
    model,
    alias: String(values.alias ?? model.split('/').pop() ?? model),
    contextTokens: integer(values, 'ctx-size', 0, 0, 2 ** 31 - 1),
    sequences: integer(values, 'parallel', 1, 1, 256),
    batchTokens: integer(values, 'batch-size', 2048, 1, 65536),
    ubatchTokens: integer(values, 'ubatch-size', 512, 1, 65536),
    flashAttention: oneOf(values, 'flash-attn', ['on', 'off', 'auto'], 'auto'),
    cacheTypeK: oneOf(values, 'cache-type-k', KV_CACHE_TYPES, 'F16'),
    cacheTypeV: oneOf(values, 'cache-type-v', KV_CACHE_TYPES, 'F16'),
    cachePrompt: !values['no-cache-prompt'],
    keepTokens: integer(values, 'keep', 0, 0, 2 ** 31 - 1),
    contextShift: values['context-shift'] === true,
    threads: integer(values, 'threads', 1, 1, 512),
    ...speculation,
    draftTokens,
    lookupMinTokens: Math.min(1, lookupMaxTokens),
    lookupMaxTokens,
    lookupMinHits: integer(values, 'spec-ngram-simple-min-hits', 1, 1, 1000),
    queueLimit: integer(values, 'queue-limit', 64, 0, 100_000),
    apiKey: typeof values['api-key'] === 'string' ? values['api-key'] : (env.LLAMA_API_KEY ?? null),
    host: String(values.host ?? '127.0.0.1'),
    port: integer(values, 'port', 8080, 0, 65535),
  };
}
