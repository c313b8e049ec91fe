import type { PythonBody } from './python-job';
import { ultrachat } from './python-job';
import { optionOf, type RecipeJob } from './recipe-job';

const PACKAGES = ['llmcompressor==0.14.0.1', 'datasets==5.2.0'];
export const LLM_COMPRESSOR = 'llmcompressor 0.14.0.1, examples of vllm-project/llm-compressor @ab1ba3ef';

interface Modifiers {
  imports: readonly string[];
  recipe: readonly string[];
  calibrated: boolean;
}

const QUANTIZATION = 'from llmcompressor.modifiers.quantization import QuantizationModifier';
const GPTQ = 'from llmcompressor.modifiers.gptq import GPTQModifier';

const preset = (scheme: string, calibrated: boolean): Modifiers => ({
  imports: [QUANTIZATION],
  recipe: [`QuantizationModifier(targets="Linear", scheme="${scheme}", ignore=["lm_head"]),`],
  calibrated,
});

/** Four-bit weights in groups of their own size; the presets know 128 only. */
const groups = (job: RecipeJob, symmetric: boolean): string[] => [
  'config_groups={',
  '    "group_0": {',
  '        "targets": ["Linear"],',
  '        "weights": {',
  `            "num_bits": 4, "type": "int", "symmetric": ${symmetric ? 'True' : 'False'},`,
  `            "strategy": "group", "group_size": ${optionOf(job, 'groupSize', 128)},`,
  '        },',
  '    }',
  '},',
  'ignore=["lm_head"],',
];
const inside = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

function smoothQuant(job: RecipeJob): Modifiers {
  return {
    imports: [GPTQ, 'from llmcompressor.modifiers.transform.smoothquant import SmoothQuantModifier'],
    recipe: [
      `SmoothQuantModifier(smoothing_strength=${optionOf(job, 'smoothing', 0.8)}),`,
      'GPTQModifier(targets="Linear", scheme="W8A8", ignore=["lm_head"]),',
    ],
    calibrated: true,
  };
}

function sparse(job: RecipeJob): Modifiers {
  const isPattern = job.options.pattern === '2:4';
  const sparsity = optionOf(job, 'percent', 50) / 100;
  return {
    imports: ['from llmcompressor.modifiers.pruning import SparseGPTModifier'],
    recipe: [
      `SparseGPTModifier(sparsity=${sparsity}, mask_structure="${isPattern ? '2:4' : '0:0'}", ignore=["lm_head"]),`,
    ],
    calibrated: true,
  };
}

const MODIFIERS: Readonly<Record<string, (job: RecipeJob) => Modifiers>> = {
  'int8-w8a8': smoothQuant,
  fp8: () => preset('FP8_DYNAMIC', false),
  'fp8-static': () => preset('FP8', true),
  'fp8-block': () => preset('FP8_BLOCK', false),
  nvfp4: () => preset('NVFP4', true),
  mxfp4: () => preset('MXFP4', false),
  w4a16: (job) => ({
    imports: [GPTQ],
    recipe: ['GPTQModifier(', ...inside(groups(job, true)), '),'],
    calibrated: true,
  }),
  'awq-int4': (job) => ({
    imports: [QUANTIZATION, 'from llmcompressor.modifiers.transform.awq import AWQModifier'],
    recipe: ['AWQModifier(duo_scaling="both"),', 'QuantizationModifier(', ...inside(groups(job, false)), '),'],
    calibrated: true,
  }),
};

/** The body for one scheme, or for sparsity; null for a scheme that LLM Compressor does not make. */
export function llmCompressorBody(job: RecipeJob): PythonBody | null {
  const modifiers = job.tool === 'sparsegpt' ? sparse : MODIFIERS[job.toType ?? ''];
  if (modifiers === undefined) return null;
  const { imports, recipe, calibrated } = modifiers(job);
  const samples = optionOf(job, 'calibrationSamples', 512);
  const data = [
    'texts = Dataset.from_dict({"text": prompts()})',
    'data = texts.map(',
    '    lambda row: tokenizer(row["text"], max_length=MAX_TOKENS, truncation=True, add_special_tokens=False),',
    '    remove_columns=["text"],',
    ')',
  ];
  const call = calibrated
    ? 'oneshot(model=model, dataset=data, recipe=recipe, max_seq_length=MAX_TOKENS, num_calibration_samples=CALIBRATION_SAMPLES)'
    : 'oneshot(model=model, recipe=recipe)';
  return {
    packages: PACKAGES,
    imports: [
      ...(calibrated ? ['from datasets import Dataset'] : []),
      'from llmcompressor import oneshot',
      ...imports,
      'from transformers import AutoModelForCausalLM, AutoTokenizer',
    ],
    calibration: calibrated ? ultrachat(samples, 2048) : null,
    lines: [
      'model = AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto")',
      'tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)',
      ...(calibrated ? data : []),
      'recipe = [',
      ...inside(recipe),
      ']',
      call,
      // Zeros are stored as numbers: the next job, and every engine, reads a dense checkpoint.
      `model.save_pretrained(PART, save_compressed=${job.tool === 'sparsegpt' ? 'False' : 'True'})`,
      'tokenizer.save_pretrained(PART)',
    ],
  };
}
