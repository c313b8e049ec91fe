import { countParameters } from '@/server/core/facts/count-parameters';
import { GGUF_QUANTIZATION_TYPES } from '@/server/core/facts/gguf-types';
import { type OwnModel, ownModelSchema } from '@/server/core/facts/own-model';
import { WEIGHT_SCHEMES } from '@/server/core/plan/settings';

/** Whole numbers that the form asks for, with their name in a config.json and what an empty field means. */
export const HAND_COUNTS = [
  { name: 'layers', label: 'Layers', key: 'num_hidden_layers', empty: null },
  { name: 'hidden', label: 'Hidden size', key: 'hidden_size', empty: null },
  { name: 'heads', label: 'Attention heads', key: 'num_attention_heads', empty: null },
  { name: 'kvHeads', label: 'KV heads', key: 'num_key_value_heads', empty: 'as many as heads' },
  { name: 'headDim', label: 'Head size', key: 'head_dim', empty: 'hidden size ÷ heads' },
  { name: 'ffn', label: 'MLP width', key: 'intermediate_size', empty: 'not known' },
  { name: 'vocab', label: 'Vocabulary', key: 'vocab_size', empty: null },
  { name: 'maxTokens', label: 'Longest context', key: 'max_position_embeddings', empty: 'not known' },
] as const;
type CountName = (typeof HAND_COUNTS)[number]['name'];

/** What stands in the fields, as typed. */
export interface HandForm extends Record<CountName, string> {
  params: string;
  tied: '' | 'yes' | 'no';
  /** A format as the facts name it, e.g. `safetensors:bfloat16`; empty: not known. */
  format: string;
}
export type HandField = keyof HandForm;
export type HandErrors = Partial<Record<HandField, string>>;

const SAFETENSORS = ['bfloat16', 'float16', ...WEIGHT_SCHEMES].map((type) => `safetensors:${type}`);
const GGUF = ['F32', 'BF16', 'F16', ...GGUF_QUANTIZATION_TYPES].map((type) => `gguf:${type}`);
export const HAND_FORMATS: readonly string[] = [...SAFETENSORS, ...GGUF];

const UNKNOWN = 'safetensors:unknown';
const text = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));

/** The fields for facts that are there already; empty ones without. */
export function handForm(own: OwnModel | null): HandForm {
  const counts = HAND_COUNTS.map(({ name }): [CountName, string] => [name, text(own?.[name])]);
  const format = own?.formats?.[0];
  const tied = own?.tiedEmbeddings ?? null;
  return {
    ...(Object.fromEntries(counts) as Record<CountName, string>),
    params: text(own?.paramsTotal),
    tied: tied === null ? '' : tied ? 'yes' : 'no',
    format: format === undefined || format === UNKNOWN ? '' : format,
  };
}

const GROUPED = /^\d{1,3}(?:([ ,_'])\d{3})(?:\1\d{3})*$/;
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** A positive whole number, thousands grouped or not; null where it is none. */
function wholeNumber(typed: string): number | null {
  const digits = GROUPED.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
  const value = /^\d+$/.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Parameters: a whole number, or a short one with K, M, B or T (`8.03B`). */
function parameterNumber(typed: string): number | null {
  const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?)\s*([kmbt])$/i.exec(typed) ?? [];
  if (digits === '') return wholeNumber(typed);
  const value = Math.round(Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1));
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

interface Typed {
  counts: Record<CountName, number | null>;
  params: number | null;
  errors: HandErrors;
}

function readFields(form: HandForm): Typed {
  const errors: HandErrors = {};
  const read = (field: CountName | 'params', isNeeded: boolean): number | null => {
    const typed = form[field].trim();
    if (typed === '') {
      if (isNeeded) errors[field] = 'Nothing follows without this number.';
      return null;
    }
    const value = field === 'params' ? parameterNumber(typed) : wholeNumber(typed);
    if (value === null) {
      errors[field] = `"${typed}" is no whole number above 0${field === 'params' ? ', nor one such as 8.03B' : ''}.`;
    }
    return value;
  };
  const counts = HAND_COUNTS.map(({ name, empty }) => [name, read(name, empty === null)] as const);
  return {
    counts: Object.fromEntries(counts) as Typed['counts'],
    params: read('params', false),
    errors,
  };
}

/** Faults of numbers beside each other; those that are missing are told already. */
function checkTogether({ counts, errors }: Typed): void {
  const { hidden, heads, kvHeads, headDim } = counts;
  if (heads !== null && kvHeads !== null && heads % kvHeads !== 0) {
    errors.kvHeads = `${heads} heads cannot share ${kvHeads} KV heads evenly.`;
  }
  if (hidden !== null && heads !== null && headDim === null && !errors.headDim && hidden % heads !== 0) {
    errors.headDim = `${hidden} is no multiple of ${heads} heads: give the head size.`;
  }
}

const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null;
const hasLayerParts = (own: OwnModel): boolean => [own.experts, own.window, own.linearAttention].some(isPart);

/** Parts of a plain dense model: those that a form by hand has no fields for. */
const PLAIN = { latentAttention: 'none', experts: 'none', linearAttention: 'none', window: 'none' } as const;

function dtypeOf(format: string): OwnModel['dtype'] {
  const type = format.split(':')[1]?.toLowerCase() ?? '';
  if (type === 'bfloat16' || type === 'bf16') return 'bfloat16';
  return type === 'float16' || type === 'f16' ? 'float16' : null;
}

/** What the format says of numbers; a format that stays keeps what was known of it. */
function numbersOf(form: HandForm, base: OwnModel | null): Partial<OwnModel> {
  if (form.format === handForm(base).format && base !== null) return {};
  const isPlain = form.format.startsWith('gguf:') || /:b?float(16|32)$/.test(form.format);
  return {
    formats: [form.format === '' ? UNKNOWN : form.format],
    dtype: dtypeOf(form.format),
    quantization: isPlain ? 'none' : null,
  };
}

const sourceOf = (base: OwnModel | null): string => {
  if (base === null || base.source.includes('by hand')) return base?.source ?? 'by hand';
  return `${base.source}, changed by hand`;
};

function build(form: HandForm, { counts, params }: Typed, base: OwnModel | null): OwnModel {
  const { layers, hidden, heads, vocab } = counts;
  const dimensions = { layers: layers ?? 0, hidden: hidden ?? 0, heads: heads ?? 0, vocab: vocab ?? 0 };
  const shape = {
    ...PLAIN,
    isGatedMlp: params === null ? true : null,
    ...base,
    ...counts,
    ...dimensions,
    kvHeads: counts.kvHeads ?? heads,
    headDim: counts.headDim ?? dimensions.hidden / dimensions.heads,
    tiedEmbeddings: form.tied === '' ? null : form.tied === 'yes',
  };
  const counted = countParameters(shape);
  const total = params ?? counted?.total ?? null;
  const isDense = !isPart(shape.experts);
  const keptActive = total === base?.paramsTotal ? (base?.paramsActive ?? null) : (counted?.active ?? null);
  return ownModelSchema.parse({
    ...shape,
    // Follows from the dimensions; an old one would hide that they changed.
    kvBytesPerTokenBf16: null,
    paramsTotal: total,
    paramsActive: isDense ? total : keptActive,
    paramsEmbedding: shape.vocab * shape.hidden,
    ...numbersOf(form, base),
    source: sourceOf(base),
  });
}

export type HandRead = { own: OwnModel; errors: null } | { own: null; errors: HandErrors };

/**
 * Facts from the fields. What the form does not ask for stays as `base` has it; without a base it is a dense model with
 * plain attention. Parameters that are left out are counted from the dimensions, with a gated MLP.
 */
export function readHandForm(form: HandForm, base: OwnModel | null): HandRead {
  const typed = readFields(form);
  checkTogether(typed);
  if (base !== null && hasLayerParts(base) && typed.counts.layers !== null && typed.counts.layers !== base.layers) {
    typed.errors.layers = `Experts, windows or states of ${base.layers} layers are known from ${base.source}: paste a config.json to change how many there are.`;
  }
  if (Object.keys(typed.errors).length > 0) return { own: null, errors: typed.errors };
  return { own: build(form, typed, base), errors: null };
}
