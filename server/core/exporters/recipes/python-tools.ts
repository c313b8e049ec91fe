import { type PythonBody, ultrachat } from './python-job';
import { optionOf, type RecipeJob } from './recipe-job';

const samplesOf = (job: RecipeJob, otherwise: number): number => optionOf(job, 'calibrationSamples', otherwise);

const LOAD = [
  'tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)',
  'model = AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto", device_map="auto")',
];

/** Presets of modelopt.torch.quantization by scheme (modelopt 0.47.0, torch/quantization/config.py). */
const MODELOPT: Readonly<Record<string, string>> = {
  'int8-w8a8': 'INT8_SMOOTHQUANT_CFG',
  'fp8-static': 'FP8_DEFAULT_CFG',
  'fp8-block': 'FP8_2D_BLOCKWISE_WEIGHT_ONLY_CFG',
  'awq-int4': 'INT4_AWQ_CFG',
  nvfp4: 'NVFP4_DEFAULT_CFG',
  mxfp4: 'MXFP4_DEFAULT_CFG',
};

export function modeloptBody(job: RecipeJob): PythonBody | null {
  const config = MODELOPT[job.toType ?? ''];
  if (config === undefined) return null;
  return {
    packages: ['nvidia-modelopt[hf]==0.47.0', 'datasets==5.2.0', 'accelerate==1.15.0'],
    imports: [
      'import torch',
      'import modelopt.torch.quantization as mtq',
      'from modelopt.torch.export import export_hf_checkpoint',
      'from transformers import AutoModelForCausalLM, AutoTokenizer',
    ],
    calibration: ultrachat(samplesOf(job, 512), 512),
    lines: [
      ...LOAD,
      '',
      'def forward_loop(model):',
      '    for text in prompts():',
      '        batch = tokenizer(text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)',
      '        model(**batch.to(model.device))',
      '',
      'with torch.inference_mode():',
      `    model = mtq.quantize(model, mtq.${config}, forward_loop)`,
      '    export_hf_checkpoint(model, export_dir=PART)',
      'tokenizer.save_pretrained(PART)',
    ],
  };
}

export function gptqModelBody(job: RecipeJob): PythonBody | null {
  const bits = { 'gptq-int4': 4, 'gptq-int8': 8, 'awq-int4': 4 }[job.toType ?? ''];
  if (bits === undefined) return null;
  const config = job.toType === 'awq-int4' ? 'AWQConfig' : 'GPTQConfig';
  return {
    packages: ['gptqmodel==7.3.4', 'datasets==5.2.0'],
    imports: ['from gptqmodel import GPTQModel', `from gptqmodel.quantization import ${config}`],
    calibration: ultrachat(samplesOf(job, 1024), 2048),
    lines: [
      `config = ${config}(bits=${bits}, group_size=${optionOf(job, 'groupSize', 128)})`,
      'model = GPTQModel.load(MODEL, config, revision=REVISION)',
      'model.quantize(prompts(), batch_size=1)',
      'model.save(str(PART))',
    ],
  };
}

/** AutoAWQ ended in 2025: the last release, with the Transformers that it was tested with. */
export function autoAwqBody(job: RecipeJob): PythonBody | null {
  if (job.toType !== 'awq-int4') return null;
  return {
    packages: ['autoawq==0.2.9', 'transformers==4.51.3', 'torch==2.6.0', 'datasets==3.6.0'],
    imports: ['from awq import AutoAWQForCausalLM', 'from transformers import AutoTokenizer'],
    calibration: ultrachat(samplesOf(job, 128), 512),
    lines: [
      'model = AutoAWQForCausalLM.from_pretrained(MODEL, revision=REVISION)',
      'tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)',
      'model.quantize(',
      '    tokenizer,',
      `    quant_config={"zero_point": True, "q_group_size": ${optionOf(job, 'groupSize', 128)}, "w_bit": 4, "version": "GEMM"},`,
      '    calib_data=prompts(),',
      '    max_calib_samples=CALIBRATION_SAMPLES,',
      '    max_calib_seq_len=MAX_TOKENS,',
      ')',
      'model.save_quantized(str(PART))',
      'tokenizer.save_pretrained(PART)',
    ],
  };
}

export function autoRoundBody(job: RecipeJob): PythonBody | null {
  const format = { 'gptq-int4': 'auto_gptq', w4a16: 'llm_compressor' }[job.toType ?? ''];
  if (format === undefined) return null;
  return {
    packages: ['auto-round==0.16.1', 'accelerate==1.15.0'],
    imports: ['from auto_round import AutoRound', 'from transformers import AutoModelForCausalLM, AutoTokenizer'],
    calibration: null,
    lines: [
      ...LOAD,
      `# calibrates with NeelNanda/pile-10k, the default of auto-round 0.16.1`,
      'tuned = AutoRound(',
      '    model,',
      '    tokenizer=tokenizer,',
      '    scheme="W4A16",',
      `    group_size=${optionOf(job, 'groupSize', 128)},`,
      '    dataset="NeelNanda/pile-10k",',
      `    nsamples=${samplesOf(job, 128)},`,
      '    seed=42,',
      ')',
      'work = PART.with_name(PART.name + ".work")',
      `tuned.quantize_and_save(output_dir=str(work), format="${format}")`,
      '# it writes into a folder of its own below',
      'made = next(work.rglob("config.json")).parent',
      'shutil.copytree(made, PART, dirs_exist_ok=True)',
      'shutil.rmtree(work)',
    ],
  };
}

export function bitsandbytesBody(job: RecipeJob): PythonBody | null {
  const config = {
    'bnb-nf4': 'load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16',
    'bnb-int8': 'load_in_8bit=True',
  }[job.toType ?? ''];
  if (config === undefined) return null;
  return {
    packages: ['transformers==5.17.0', 'bitsandbytes==0.50.2', 'accelerate==1.15.0'],
    imports: ['import torch', 'from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig'],
    calibration: null,
    lines: [
      `config = BitsAndBytesConfig(${config})`,
      'tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)',
      'model = AutoModelForCausalLM.from_pretrained(',
      '    MODEL, revision=REVISION, quantization_config=config, device_map="auto"',
      ')',
      'model.save_pretrained(PART)',
      'tokenizer.save_pretrained(PART)',
    ],
  };
}
