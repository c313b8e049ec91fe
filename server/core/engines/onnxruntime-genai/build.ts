import type { Scope, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { args, caution, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const BUILDER = 'onnxruntime-genai v0.15.2 @ed5f4e87, src/python/py/models/builder.py';
const README = 'onnxruntime-genai v0.15.2 @ed5f4e87, README.md';

/** Folder that the builder writes: weights, tokenizer and genai_config.json. */
export const ONNX_FOLDER = '/models/onnx';

type Provider = 'cpu' | 'cuda';
type Precision = 'int4' | 'int8' | 'bf16' | 'fp16' | 'fp32';

/** Execution provider of a device; null where only DirectML or WebGPU reach it, which run on Windows or in a browser. */
export function providerOf(ctx: LoweringContext): Provider | null {
  if (ctx.hardware.kind === 'cpu') return 'cpu';
  const vendor = vendorOf(ctx.hardware);
  return vendor === null || vendor === 'nvidia' ? 'cuda' : null;
}

interface Build {
  precision: Precision;
  options: Record<string, string>;
  cautions: Lowered[];
}
type Made = Build | Extract<Lowered, { kind: 'unsupported' }>;
const refuse = (reason: string, source: string, instead?: string): Made =>
  unsupported(reason, source, instead) as Extract<Lowered, { kind: 'unsupported' }>;
const isRefusal = (made: Made): made is Extract<Lowered, { kind: 'unsupported' }> => 'kind' in made;

const PLAIN: Readonly<Record<string, Precision>> = {
  bf16: 'bf16',
  bfloat16: 'bf16',
  fp16: 'fp16',
  f16: 'fp16',
  float16: 'fp16',
  fp32: 'fp32',
  f32: 'fp32',
  float32: 'fp32',
};
const OF_DTYPE = { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' } as const;

/** Numbers of a model that is not quantized: those asked for, else those that the provider computes in. */
function plainBuild(type: string, provider: Provider, ctx: LoweringContext): Made {
  const asked = ctx.value('computeDtype');
  if (provider === 'cpu') {
    return asked === null || asked === 'float32'
      ? { precision: 'fp32', options: {}, cautions: [] }
      : refuse(`on a CPU an unquantized model is exported as float32, not ${asked}`, `${BUILDER}, -p and -e`);
  }
  const precision = asked === null ? PLAIN[type.toLowerCase()] : OF_DTYPE[asked];
  if (precision === undefined) return refuse(`the builder reads no ${type} checkpoint`, BUILDER);
  const capability = capabilityOf(ctx.hardware);
  return precision === 'bf16' && capability !== null && capability < 80
    ? refuse(`BF16 export is for Ampere and later; ${describeDevice(ctx.hardware)}`, `${BUILDER}, -p bf16`)
    : { precision, options: {}, cautions: [] };
}

const NO_SCHEME: Partial<Readonly<Record<WeightScheme, string>>> = {
  'int8-w8a8':
    'the builder quantizes weights only; INT8 activations need quantize_static or quantize_dynamic on the exported graph (QDQ), which a plan does not hold',
  fp8: 'FP8 exists in quantize_static only, with few kernels; the builder has no FP8 export',
  'fp8-static': 'FP8 exists in quantize_static only, with few kernels; the builder has no FP8 export',
  'fp8-block': 'FP8 exists in quantize_static only, with few kernels; the builder has no FP8 export',
  nvfp4: 'the builder of 0.15.2 has no NVFP4 export',
  mxfp8: 'the builder has no MXFP8 export',
  'bnb-nf4': "bitsandbytes 4-bit is a pass of Olive, not of the builder: take the builder's own INT4",
  'bnb-int8': 'the builder has no bitsandbytes export: take its own INT8 (weights only)',
};

const bf16Option = (ctx: LoweringContext): Record<string, string> =>
  ctx.value('computeDtype') === 'bfloat16' && providerOf(ctx) === 'cuda' ? { use_cuda_bf16: 'true' } : {};

function schemeBuild(scheme: WeightScheme, provider: Provider, ctx: LoweringContext): Made {
  const none = NO_SCHEME[scheme];
  if (none !== undefined) return refuse(none, `${BUILDER}; onnxruntime/quantization/quantize.py`, 'vllm');
  const isReady = ctx.checkpoint('target')?.source !== 'online';
  // Activations in int8 on the CPU: the default of that provider, written so that it shows.
  const options = { ...bf16Option(ctx), ...(provider === 'cpu' ? { accuracy_level: '4' } : {}) };
  switch (scheme) {
    case 'w4a16':
    case 'int8-weight-only':
      return isReady
        ? refuse(
            'the builder quantizes a plain checkpoint itself (weights: online), or reads AWQ and GPTQ; compressed-tensors it does not read',
            BUILDER,
          )
        : { precision: scheme === 'w4a16' ? 'int4' : 'int8', options, cautions: [] };
    case 'mxfp4':
      return provider === 'cpu'
        ? refuse('MXFP4 experts need the CUDA provider', `${BUILDER}, moe_quant_type`)
        : {
            precision: 'int4',
            options: { ...options, moe_quant_type: 'mxfp4' },
            cautions: [
              caution(
                'only the experts of a MoE model become MXFP4; all else becomes INT4',
                `${BUILDER}, moe_quant_type`,
              ),
            ],
          };
    case 'awq-int4':
    case 'gptq-int4':
      return isReady
        ? { precision: 'int4', options, cautions: [] }
        : refuse(`the builder reads ${scheme} checkpoints but does not make them`, BUILDER);
    default:
      return refuse(`the builder reads no ${scheme} checkpoint`, BUILDER);
  }
}

/** `-c` options that other settings ask for; they are one argument, so that none overrides another. */
function extraOptions(ctx: LoweringContext): Record<string, string> {
  const adapter = ctx.value('loraAdapters')?.[0];
  return {
    ...(ctx.value('cudaGraphs') === 'on' && providerOf(ctx) === 'cuda' ? { enable_cuda_graph: 'true' } : {}),
    ...(adapter === undefined ? {} : { adapter_path: adapter.source }),
  };
}

function buildOf(format: string, provider: Provider, ctx: LoweringContext): Made {
  const { container, type, scheme } = readWeightFormat(format);
  if (container === 'gguf') {
    return /^(F16|F32)$/.test(type)
      ? plainBuild(type, provider, ctx)
      : refuse('the builder reads GGUF in F16 and F32 only; quantized GGUF files it does not', BUILDER, 'llama.cpp');
  }
  return scheme === null ? plainBuild(type, provider, ctx) : schemeBuild(scheme, provider, ctx);
}

/** The whole builder command: source, folder, precision, provider and its options. */
export function lowerOnnxWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope !== 'target') return unsupported(`a ${scope} model has no place here: there is no speculation`, README);
  const provider = providerOf(ctx);
  if (provider === null) {
    return unsupported(
      `only DirectML and WebGPU reach this device, on Windows or in a browser; ${describeDevice(ctx.hardware)}`,
      `${README}; ${BUILDER}, -e`,
      'llama.cpp',
    );
  }
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, BUILDER);
  const build = buildOf(format, provider, ctx);
  if (isRefusal(build)) return build;
  const isMade = checkpoint.source === 'recipe' || checkpoint.repo.startsWith('bundled:');
  const isLocal = isMade || checkpoint.repo.startsWith('/') || format.startsWith('gguf:');
  const options = Object.entries({ ...build.options, ...extraOptions(ctx) }).map(([key, value]) => `${key}=${value}`);
  const [first, ...more] = options;
  const command = args(
    {
      flag: isLocal ? '--input' : '--model_name',
      value: isMade ? checkpoint.fileName : checkpoint.repo,
      note: checkpoint.format,
    },
    { flag: '--output', value: ONNX_FOLDER, note: 'the folder that og.Model opens' },
    { flag: '--precision', value: build.precision },
    { flag: '--execution_provider', value: provider },
    ...(first === undefined ? [] : [{ flag: '--extra_options', value: first }]),
    ...more.map((option) => ({ flag: option, value: null })),
  );
  return build.cautions.length === 0 ? command : several(command, ...build.cautions);
}
