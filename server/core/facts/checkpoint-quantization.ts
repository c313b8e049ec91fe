import type { WeightScheme } from '../plan/settings';
import { type ModelFacts, partOf, type Quantization } from './model-facts';

const base: Omit<Quantization, 'method'> = {
  scheme: null,
  groupSize: null,
  actOrder: null,
  blockSize: null,
  hasKvScales: null,
};

/**
 * How repositories of one maker name their quantization in config.json. Read from the copies of nvidia/ and Qwen/
 * configurations in ai-dynamo/aiconfigurator @095f58a5; the habits of the others are recalled.
 */
const MAKERS: readonly {
  owner: RegExp;
  schemes: Partial<Record<WeightScheme, Partial<Quantization> & { method: string }>>;
}[] = [
  {
    owner: /^nvidia\//i,
    schemes: {
      fp8: { method: 'modelopt', hasKvScales: true },
      'fp8-static': { method: 'modelopt', hasKvScales: true },
      nvfp4: { method: 'modelopt_fp4', groupSize: 16 },
    },
  },
  {
    owner: /^amd\//i,
    schemes: {
      fp8: { method: 'quark', scheme: 'W8A8-FP8', hasKvScales: true },
      'fp8-static': { method: 'quark', scheme: 'W8A8-FP8', hasKvScales: true },
      mxfp4: { method: 'quark', groupSize: 32 },
    },
  },
  {
    owner: /^(?:redhatai|neuralmagic)\//i,
    schemes: {
      fp8: { method: 'compressed-tensors', scheme: 'W8A8-FP8', groupSize: -1, actOrder: false },
      'fp8-static': { method: 'compressed-tensors', scheme: 'W8A8-FP8', groupSize: -1, actOrder: false },
      nvfp4: { method: 'compressed-tensors', scheme: 'W4A4-NVFP4', groupSize: 16, actOrder: false },
    },
  },
  {
    owner: /^qwen\//i,
    schemes: {
      fp8: { method: 'fp8', blockSize: 128, hasKvScales: false },
      'gptq-int4': { method: 'gptq', groupSize: 128, actOrder: false },
      'gptq-int8': { method: 'gptq', groupSize: 128, actOrder: false },
    },
  },
  { owner: /^meta-llama\//i, schemes: { fp8: { method: 'fbgemm_fp8', hasKvScales: false } } },
];

/** What every checkpoint of the scheme has in common, whoever made it; null where makers differ. */
const COMMON: Partial<Record<WeightScheme, Partial<Quantization> & { method: string }>> = {
  'int8-w8a8': { method: 'compressed-tensors', scheme: 'W8A8-INT8', groupSize: -1, actOrder: false },
  'int8-weight-only': { method: 'compressed-tensors', scheme: 'W8A16', actOrder: false },
  'fp8-block': { method: 'fp8', blockSize: 128 },
  'awq-int4': { method: 'awq', groupSize: 128, actOrder: false },
  'gptq-int4': { method: 'gptq', groupSize: 128 },
  'gptq-int8': { method: 'gptq', groupSize: 128 },
  w4a16: { method: 'compressed-tensors', scheme: 'W4A16', groupSize: 128, actOrder: false },
  nvfp4: { method: 'modelopt_fp4', groupSize: 16 },
  mxfp4: { method: 'mxfp4', groupSize: 32 },
  mxfp8: { method: 'modelopt_mxfp8', groupSize: 32 },
  'bnb-nf4': { method: 'bitsandbytes', groupSize: 64 },
  'bnb-int8': { method: 'bitsandbytes' },
};

/** Schemes as older documents and importers write them. */
const OLD_NAMES: Readonly<Record<string, WeightScheme>> = {
  awq: 'awq-int4',
  gptq: 'gptq-int4',
  bitsandbytes: 'bnb-nf4',
};
export const schemeOf = (type: string): string => OLD_NAMES[type] ?? type;

/**
 * Quantization of a ready checkpoint: the model's own where it is the one in use, else what its maker's repositories
 * of that scheme have. Null: nobody recorded it.
 */
export function quantizationOf(facts: ModelFacts | null, repo: string, type: string): Quantization | null {
  const scheme = schemeOf(type) as WeightScheme;
  const own = facts === null ? null : partOf(facts.quantization);
  if (own !== null && (facts?.repo === repo || facts?.formats.includes(`safetensors:${type}`))) return own;
  const maker = MAKERS.find(({ owner, schemes }) => owner.test(repo) && Object.hasOwn(schemes, scheme));
  const known = maker?.schemes[scheme] ?? (Object.hasOwn(COMMON, scheme) ? COMMON[scheme] : undefined);
  return known === undefined ? null : { ...base, ...known };
}

/** ModelOpt's name of a scheme, as TensorRT-LLM reads it. */
export const QUANT_ALGORITHMS: Readonly<Partial<Record<WeightScheme, string>>> = {
  fp8: 'FP8',
  'fp8-static': 'FP8',
  'fp8-block': 'FP8_BLOCK_SCALES',
  'awq-int4': 'W4A16_AWQ',
  'gptq-int4': 'W4A16_GPTQ',
  w4a16: 'W4A16_GPTQ',
  nvfp4: 'NVFP4',
  mxfp4: 'W4A16_MXFP4',
  'int8-w8a8': 'W8A8_SQ_PER_CHANNEL',
};
