import { parseArgs } from 'node:util';
import { EMBEDDED_FLAGS } from '@/server/core/engines/embedded-flags';
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
  queueLimit: number;
  apiKey: string | null;
  host: string;
  port: number;
}

/** Wrong usage: one line for stderr, exit code 2. */
export class UsageError extends Error {}

/** The engine's side of `EMBEDDED_FLAGS`: the same names, typed as `parseArgs` wants them. */
const PARSE_OPTIONS = Object.fromEntries(
  EMBEDDED_FLAGS.map(({ name, type }) => [name.slice(2), { type: type === 'flag' ? 'boolean' : 'string' } as const]),
);

const SPEC_TYPES: Record<string, SpeculationKind> = {
  none: 'none',
  'draft-simple': 'draft-model',
  'ngram-simple': 'prompt-lookup',
};

type Values = Record<string, string | boolean | undefined>;

/** The default that core's table states; what is written there holds here. */
function defaultOf(name: string): number {
  const value = EMBEDDED_FLAGS.find((f) => f.name === `--${name}`)?.default;
  if (typeof value !== 'number') throw new Error(`--${name} has no numeric default in core/engines/embedded-flags`);
  return value;
}

function integer(values: Values, name: string, min: number, max: number): number {
  const raw = values[name];
  if (raw === undefined) return defaultOf(name);
  const value = Number(raw);
  if (!/^-?\d+$/.test(String(raw)) || value < min || value > max)
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${String(raw)}"`);
  return value;
}

function oneOf<T extends string>(values: Values, name: string, allowed: readonly T[], fallback: T): T {
  const raw = values[name];
  if (raw === undefined) return fallback;
  const found = allowed.find((a) => a.toLowerCase() === String(raw).toLowerCase());
  if (!found)
    throw new UsageError(`--${name} must be one of ${allowed.join(', ').toLowerCase()}, not "${String(raw)}"`);
  return found;
}

function parse(argv: readonly string[]): Values {
  try {
    return parseArgs({ args: [...argv], options: PARSE_OPTIONS, strict: true, allowPositionals: false }).values;
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
  if (values['cache-prompt'] && values['no-cache-prompt'])
    throw new UsageError('--cache-prompt and --no-cache-prompt contradict each other');
  const speculation = speculationOf(values);
  const lookup = lookupOf(values);
  const draftFlag = speculation.speculation === 'prompt-lookup' ? 'spec-ngram-simple-size-m' : 'spec-draft-n-max';
  return {
    model,
    alias: String(values.alias ?? model.split('/').pop() ?? model),
    contextTokens: integer(values, 'ctx-size', 0, 2 ** 31 - 1),
    sequences: integer(values, 'parallel', 1, 256),
    batchTokens: integer(values, 'batch-size', 1, 65536),
    ubatchTokens: integer(values, 'ubatch-size', 1, 65536),
    flashAttention: oneOf(values, 'flash-attn', ['on', 'off', 'auto'], 'auto'),
    cacheTypeK: oneOf(values, 'cache-type-k', KV_CACHE_TYPES, 'F16'),
    cacheTypeV: oneOf(values, 'cache-type-v', KV_CACHE_TYPES, 'F16'),
    cachePrompt: !values['no-cache-prompt'],
    keepTokens: integer(values, 'keep', 0, 2 ** 31 - 1),
    contextShift: values['context-shift'] === true,
    threads: integer(values, 'threads', 1, 512),
    ...speculation,
    draftTokens: integer(values, draftFlag, 1, 64),
    ...lookup,
    queueLimit: integer(values, 'queue-limit', 0, 100_000),
    apiKey: typeof values['api-key'] === 'string' ? values['api-key'] : (env.LLAMA_API_KEY ?? null),
    host: String(values.host ?? '127.0.0.1'),
    port: integer(values, 'port', 0, 65535),
  };
}

function lookupOf(values: Values): Pick<EngineOptions, 'lookupMinTokens' | 'lookupMaxTokens'> {
  const lookupMaxTokens = integer(values, 'spec-ngram-simple-size-n', 1, 64);
  const lookupMinTokens = integer(values, 'spec-ngram-simple-min-match', 1, 64);
  if (lookupMinTokens > lookupMaxTokens)
    throw new UsageError(
      `--spec-ngram-simple-min-match ${lookupMinTokens} exceeds --spec-ngram-simple-size-n ${lookupMaxTokens}`,
    );
  return { lookupMinTokens, lookupMaxTokens };
}
