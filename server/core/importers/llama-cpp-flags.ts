import { llamaCpp } from '../engines/llama-cpp';
import { KV_CACHE_TYPES } from '../plan/settings';
import type { Invocation } from './importer';
import { modelOfGgufFile, modelOfGgufRepository } from './model-intent';
import { noParts, onOff, type Parts } from './parts';
import type { Reading } from './reading';

type Run = Pick<Invocation, 'runtime' | 'preparation'>;
const MIN_CONTEXT = 16;
const MIN_CHUNK = 16;
const MAX_DRAFTED = 64;

const defaultOf = (run: Run, name: 'maxSequences' | 'draftTokens'): number =>
  Number(llamaCpp.defaults({ runtime: run.runtime, modelMaxTokens: null })[name]?.value ?? 1);

function readWeights(reading: Reading, parts: Parts, run: Run): void {
  const file = reading.value('--model');
  const repo = reading.value('--hf-repo');
  const url = reading.value('--model-url');
  if (repo !== null) {
    const picked = reading.take('--hf-file')?.value ?? null;
    parts.model = modelOfGgufRepository(repo, picked, reading, 'model');
    reading.take('--hf-repo');
    if (file !== null)
      reading.drop('--model', 'weights-twice', 'a repository is named beside the file; the repository counts.');
  } else if (file !== null) {
    reading.take('--model');
    parts.model = modelOfGgufFile(file, run.preparation, reading, 'model');
  } else if (url !== null) {
    const name = url.split(/[?#]/, 1)[0]?.split('/').pop() ?? url;
    parts.model = modelOfGgufFile(name, [], reading, 'model');
    reading.drop('--model-url', 'weights-by-hand', `put ${name} on the worker: no node downloads from an address.`);
  }
}

function readAttention(reading: Reading, parts: Parts): void {
  const flash = reading.peek('--flash-attn');
  const state = flash === null ? null : flash.value === null ? 'on' : onOff(flash.value);
  if (flash !== null && state !== null) {
    if (flash.value === null) {
      reading.say(
        'info',
        'flag-old-form',
        `${flash.written} without a value is the form of earlier builds; read as on.`,
      );
    }
    reading.take('--flash-attn');
    parts.techniques.set('flash-attention', { state });
  }
  const [key, value] = [reading.value('--cache-type-k'), reading.value('--cache-type-v')].map(
    (t) => t?.toUpperCase() ?? null,
  );
  const known = (type: string | null | undefined): boolean =>
    type === null || type === undefined || (KV_CACHE_TYPES as readonly string[]).includes(type);
  if ((key || value) && known(key) && known(value)) {
    reading.takeAll('--cache-type-k', '--cache-type-v');
    parts.techniques.set('kv-cache-type', { key: key ?? 'F16', value: value ?? 'F16' });
  }
}

function readCache(reading: Reading, parts: Parts, sequences: number): void {
  const prefix = reading.peek('--cache-prompt');
  if (prefix !== null) {
    reading.take('--cache-prompt');
    parts.techniques.set('prefix-caching', { state: prefix.spelling?.how === 'negated' ? 'off' : 'on' });
  }
  const keep = reading.integer('--keep');
  const shift = reading.peek('--context-shift');
  if (keep !== null && keep >= 0 && keep <= 4096 && shift?.spelling?.how === 'exact') {
    reading.takeAll('--keep', '--context-shift');
    parts.techniques.set('sink-window', { sinkTokens: keep });
  }
  readContext(reading, parts, sequences);
}

/** `--ctx-size` counts the tokens of all sequences together. */
function readContext(reading: Reading, parts: Parts, sequences: number): void {
  if (reading.peek('--ctx-size') === null) return;
  const total = reading.integer('--ctx-size');
  const each = total === null ? 0 : Math.floor(total / sequences);
  if (each < MIN_CONTEXT) {
    const why = total === 0 ? 'it means as long as the model allows' : 'it gives no length for a sequence';
    reading.drop('--ctx-size', 'context-not-kept', `${why}; set a context node, else the workload's length applies.`);
    return;
  }
  reading.take('--ctx-size');
  parts.techniques.set('context', { tokensPerSequence: each });
  if (total !== null && each * sequences !== total) {
    const message = `--ctx-size ${total} over ${sequences} sequences is ${each} tokens each, ${each * sequences} together.`;
    reading.say('warning', 'context-rounded', message, 'context');
  }
}

function readDraft(reading: Reading, parts: Parts, run: Run): void {
  const file = reading.value('--spec-draft-model');
  const repo = reading.value('--spec-draft-hf');
  if (file !== null) {
    reading.take('--spec-draft-model');
    parts.draft = modelOfGgufFile(file, run.preparation, reading, 'draft');
  } else if (repo !== null) {
    reading.take('--spec-draft-hf');
    parts.draft = modelOfGgufRepository(repo, null, reading, 'draft');
  }
  const k = reading.take('--spec-draft-n-max')?.value ?? null;
  parts.techniques.set('draft-speculation', { k: k === null ? defaultOf(run, 'draftTokens') : Number(k) });
}

function readLookup(reading: Reading, parts: Parts, run: Run): void {
  const embedded = run.runtime === 'embedded';
  const k = reading.integer('--spec-ngram-simple-size-m') ?? 48;
  const max = reading.integer('--spec-ngram-simple-size-n') ?? (embedded ? 3 : 12);
  const min = embedded ? (reading.integer('--spec-ngram-simple-min-match') ?? 1) : max;
  if ([k, max, min].some((n) => n < 1 || n > MAX_DRAFTED)) return;
  reading.takeAll(
    '--spec-type',
    '--spec-ngram-simple-size-m',
    '--spec-ngram-simple-size-n',
    '--spec-ngram-simple-min-match',
  );
  parts.techniques.set('prompt-lookup', { k, min, max });
}

/** Speculation with a draft model or by prompt lookup; other kinds stay raw arguments. */
function readSpeculation(reading: Reading, parts: Parts, run: Run): void {
  const type = reading.value('--spec-type');
  const hasDraft = reading.peek('--spec-draft-model') !== null || reading.peek('--spec-draft-hf') !== null;
  const drafted = reading.peek('--spec-draft-n-max');
  const fits =
    drafted === null || ((reading.integer('--spec-draft-n-max') ?? 0) >= 1 && Number(drafted.value) <= MAX_DRAFTED);
  if (type === 'ngram-simple') readLookup(reading, parts, run);
  else if (fits && (type === 'draft-simple' || (type === null && hasDraft))) {
    if (type === null)
      reading.say('info', 'speculation-implied', 'A draft model is given: read as --spec-type draft-simple.');
    reading.take('--spec-type');
    readDraft(reading, parts, run);
  }
}

/** Prompt tokens of a step: what the step budget leaves beside the decoding sequences; the inverse of `stepBudget`. */
function readChunk(reading: Reading, parts: Parts, run: Run, sequences: number): void {
  const budget = reading.integer('--batch-size');
  if (budget === null || reading.integer('--ubatch-size') !== budget) return;
  const speculation = parts.techniques.get('draft-speculation') ?? parts.techniques.get('prompt-lookup');
  const drafted = speculation === undefined ? 0 : Number(speculation.k);
  const tokens = run.runtime === 'embedded' ? budget : budget - sequences * (1 + drafted);
  if (tokens < MIN_CHUNK) return;
  reading.takeAll('--batch-size', '--ubatch-size');
  parts.techniques.set('prefill-chunk', { tokens });
}

function readServing(reading: Reading, parts: Parts, run: Run): number {
  const asked = reading.integer('--parallel');
  const isNumber = asked !== null && asked >= 1 && asked <= 4096;
  if (isNumber) {
    reading.take('--parallel');
    parts.techniques.set('parallel-sequences', { sequences: asked });
  }
  const threads = reading.integer('--threads');
  if (threads !== null && threads >= 1 && threads <= 1024) {
    reading.take('--threads');
    parts.techniques.set('threads', { threads });
  }
  const limit = reading.integer('--queue-limit');
  if (limit !== null && limit >= 0) {
    reading.take('--queue-limit');
    parts.techniques.set('request-queue', { limit });
  }
  return isNumber ? asked : defaultOf(run, 'maxSequences');
}

/** llama-server's and the embedded engine's flags as nodes: the inverse of `llamaCppLowering`. */
export function readLlamaCpp(reading: Reading, run: Run): Parts {
  const parts = noParts();
  readWeights(reading, parts, run);
  const sequences = readServing(reading, parts, run);
  readAttention(reading, parts);
  readCache(reading, parts, sequences);
  readSpeculation(reading, parts, run);
  readChunk(reading, parts, run, sequences);
  return parts;
}
