import { modelOfRepository } from './model-intent';
import { noParts, type Parts } from './parts';
import type { Reading } from './reading';

const MIN_CONTEXT = 16;
const MIN_CHUNK = 16;
const MAX_DRAFTED = 64;

function readModel(reading: Reading, parts: Parts): void {
  const flag = reading.take('model')?.value ?? null;
  const name = flag ?? reading.takePositional();
  if (name === null) return;
  const revision = reading.value('--revision');
  parts.model = modelOfRepository(name, revision, reading);
  if (parts.model.params.revision !== undefined) reading.take('--revision');
}

const KV_TYPES: Readonly<Record<string, string>> = { fp8: 'FP8', float16: 'F16', bfloat16: 'BF16' };

function readAttention(reading: Reading, parts: Parts, isAmd: boolean): void {
  if (reading.value('--attention-backend') === (isAmd ? 'ROCM_AITER_FA' : 'FLASH_ATTN')) {
    reading.take('--attention-backend');
    parts.techniques.set('flash-attention', { state: 'on' });
  }
  const type = KV_TYPES[reading.value('--kv-cache-dtype') ?? ''];
  if (type !== undefined) {
    reading.take('--kv-cache-dtype');
    parts.techniques.set('kv-cache-type', { key: type, value: type });
  }
  const prefix = reading.take('--enable-prefix-caching');
  if (prefix !== null) {
    parts.techniques.set('prefix-caching', { state: prefix.spelling?.how === 'negated' ? 'off' : 'on' });
  }
}

const SUFFIXES: Readonly<Record<string, number>> = { k: 1e3, K: 1024, m: 1e6, M: 1024 ** 2 };
const READABLE = /^(\d+(?:\.\d+)?)([kKmM])?$/;

/** `8192`, `8k` (8000), `8K` (8192): vLLM's human_readable_int; null for `auto`, -1 and variables. */
function readableTokens(text: string): number | null {
  const match = READABLE.exec(text);
  if (!match) return null;
  const tokens = Number(match[1]) * (match[2] === undefined ? 1 : (SUFFIXES[match[2]] ?? 1));
  return Number.isInteger(tokens) && tokens >= MIN_CONTEXT ? tokens : null;
}

function readContext(reading: Reading, parts: Parts): void {
  const text = reading.value('--max-model-len');
  if (text === null) return;
  const tokens = readableTokens(text);
  if (tokens === null) {
    const message = "it is no fixed length; set a context node, else the workload's length applies.";
    reading.drop('--max-model-len', 'context-not-kept', message);
    return;
  }
  reading.take('--max-model-len');
  parts.techniques.set('context', { tokensPerSequence: tokens });
  if (String(tokens) !== text)
    reading.say('info', 'number-read', `--max-model-len ${text} is ${tokens} tokens.`, 'context');
}

/** The JSON of `--speculative-config`, or its dotted parts; null where it is none. */
function speculativeConfig(reading: Reading): Record<string, unknown> | null {
  const flags = reading.all('--speculative-config');
  const config: Record<string, unknown> = {};
  for (const { spelling, value } of flags) {
    if (value === null) return null;
    try {
      const path = spelling?.path ?? null;
      if (path === null) Object.assign(config, JSON.parse(value));
      else config[path.replaceAll('-', '_')] = /^-?\d/.test(value) ? JSON.parse(value) : value;
    } catch {
      return null;
    }
  }
  return flags.length === 0 ? null : config;
}

const hasOnly = (config: Record<string, unknown>, keys: readonly string[]): boolean =>
  Object.keys(config).every((key) => keys.includes(key));
const OTHER_DRAFTERS = /eagle|medusa|mlp|mtp|dflash|suffix/i;
const isDrafted = (k: unknown): k is number =>
  typeof k === 'number' && Number.isInteger(k) && k >= 1 && k <= MAX_DRAFTED;

/** Draft model or n-gram with the keys that the nodes have; anything more stays a raw argument. */
function readSpeculation(reading: Reading, parts: Parts): number {
  const config = speculativeConfig(reading);
  const k = config?.num_speculative_tokens;
  if (config === null || !isDrafted(k)) return 0;
  const { method, model, revision, prompt_lookup_max: most, prompt_lookup_min: least } = config;
  if (
    method === 'ngram' &&
    hasOnly(config, ['method', 'num_speculative_tokens', 'prompt_lookup_max', 'prompt_lookup_min'])
  ) {
    const max = most ?? least ?? 5;
    const min = least ?? most ?? 5;
    if (!isDrafted(max) || !isDrafted(min)) return 0;
    reading.takeEvery('--speculative-config');
    parts.techniques.set('prompt-lookup', { k, min, max });
    return k;
  }
  const isDraft = method === 'draft_model' || (method === undefined && !OTHER_DRAFTERS.test(String(model)));
  if (!isDraft || typeof model !== 'string') return 0;
  if (!hasOnly(config, ['method', 'model', 'revision', 'num_speculative_tokens'])) return 0;
  reading.takeEvery('--speculative-config');
  parts.draft = modelOfRepository(model, typeof revision === 'string' ? revision : null, reading, 'draft');
  parts.techniques.set('draft-speculation', { k });
  return k;
}

function readServing(reading: Reading, parts: Parts, drafted: number): void {
  const sequences = reading.integer('--max-num-seqs');
  const isNumber = sequences !== null && sequences >= 1 && sequences <= 4096;
  if (isNumber) {
    reading.take('--max-num-seqs');
    parts.techniques.set('parallel-sequences', { sequences });
  }
  const budget = reading.integer('--max-num-batched-tokens');
  if (budget === null || (sequences !== null && !isNumber)) return;
  const tokens = budget - (sequences ?? 0) * (1 + drafted);
  if (tokens < MIN_CHUNK || tokens > 1_048_576) return;
  reading.take('--max-num-batched-tokens');
  parts.techniques.set('prefill-chunk', { tokens });
}

/** vLLM's flags as nodes: the inverse of `vllmLowering`. */
export function readVllm(reading: Reading, device: string): Parts {
  const parts = noParts();
  readModel(reading, parts);
  readAttention(reading, parts, /^MI\d/.test(device));
  readContext(reading, parts);
  readServing(reading, parts, readSpeculation(reading, parts));
  return parts;
}

/** Share of the work that the flags spread over devices: tensor × pipeline × data parallel. */
export const vllmDevices = (reading: Reading): number =>
  ['--tensor-parallel-size', '--pipeline-parallel-size', '--data-parallel-size']
    .map((name) => Math.max(1, reading.integer(name) ?? 1))
    .reduce((product, n) => product * n, 1);

const BIND = /^0(?:-(\d+))?$/;
/** `VLLM_CPU_OMP_THREADS_BIND=0-7`: eight threads; null for other bindings. */
export function boundThreads(value: string): number | null {
  const match = BIND.exec(value);
  return match ? Number(match[1] ?? 0) + 1 : null;
}
