import type { Scope, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { args, caution, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const LAUNCHER = 'TGI @db931fcf, launcher/src/main.rs';
const MODELS = 'TGI @db931fcf, server/text_generation_server/models/__init__.py';
const LOADERS = 'TGI @db931fcf, server/text_generation_server/utils/quantization.py';
const FP8 = 'TGI @db931fcf, server/text_generation_server/layers/fp8.py:36-55';
const TENSORS = 'TGI @db931fcf, server/text_generation_server/layers/compressed_tensors/loader.py';

/** How a scheme is asked for. Null value: the server reads it from the checkpoint. */
interface Support {
  /** Value of --quantize for a ready checkpoint; null: read from its config; undefined: such checkpoints are not read. */
  ready?: string | null;
  /** Value of --quantize that makes it from a plain checkpoint while loading. */
  online?: string;
  /** Lowest compute capability × 10. */
  least: number;
  /** Runs on AMD. */
  amd: boolean;
  note: string;
  source: string;
}

const SUPPORTED: Partial<Readonly<Record<WeightScheme, Support>>> = {
  'awq-int4': {
    ready: 'awq',
    least: 70,
    amd: false,
    note: 'Marlin kernels where bits, groups and GPU allow',
    source: LOADERS,
  },
  'gptq-int4': {
    ready: 'gptq',
    least: 70,
    amd: true,
    note: 'Marlin kernels where bits, groups and GPU allow',
    source: LOADERS,
  },
  'gptq-int8': {
    ready: 'gptq',
    least: 70,
    amd: true,
    note: 'Marlin kernels where bits, groups and GPU allow',
    source: LOADERS,
  },
  w4a16: { ready: 'compressed-tensors', least: 75, amd: false, note: 'INT W4A16', source: TENSORS },
  'int8-w8a8': { ready: 'compressed-tensors', least: 75, amd: false, note: 'INT W8A8', source: TENSORS },
  'int8-weight-only': {
    ready: 'compressed-tensors',
    online: 'eetq',
    least: 70,
    amd: false,
    note: 'weights only',
    source: LOADERS,
  },
  fp8: { ready: null, online: 'fp8', least: 80, amd: true, note: 'FP8', source: FP8 },
  'fp8-static': { ready: null, least: 80, amd: true, note: 'FP8, scales of the checkpoint', source: FP8 },
  'fp8-block': { ready: null, least: 80, amd: false, note: 'FP8 in blocks', source: FP8 },
  'bnb-nf4': { online: 'bitsandbytes-nf4', least: 70, amd: false, note: 'quantized while loading', source: LOADERS },
  'bnb-int8': { online: 'bitsandbytes', least: 70, amd: false, note: 'quantized while loading', source: LOADERS },
};

const NOT_READ = 'TGI knows no such checkpoints';

function refuse(scheme: WeightScheme, support: Support | undefined, ctx: LoweringContext): Lowered | null {
  if (support === undefined)
    return unsupported(`${NOT_READ}: ${scheme} is not among its quantizations`, `${LAUNCHER}, Quantization`, 'vllm');
  const { hardware } = ctx;
  const vendor = vendorOf(hardware);
  if (hardware.kind === 'cpu') {
    return unsupported(
      `the quantized kernels of TGI run on GPUs; ${describeDevice(hardware)}`,
      support.source,
      'llama.cpp',
    );
  }
  if (vendor === 'amd' && !support.amd)
    return unsupported(`TGI has no ${scheme} kernels for AMD GPUs`, support.source, 'vllm');
  const capability = capabilityOf(hardware);
  if (capability !== null && capability < support.least) {
    const least = (support.least / 10).toFixed(1);
    return unsupported(`${scheme} needs compute capability ${least}; ${describeDevice(hardware)}`, support.source);
  }
  const isOnline = ctx.checkpoint('target')?.source === 'online';
  if (isOnline && support.online === undefined) {
    return unsupported(`TGI cannot quantize a plain checkpoint to ${scheme} at load`, LOADERS);
  }
  return !isOnline && support.ready === undefined
    ? unsupported(
        `TGI makes ${scheme} while loading only; a ready checkpoint of it is not read`,
        `${MODELS}, get_model`,
      )
    : null;
}

/** What a reader should know of a scheme that runs. */
function cautions(scheme: WeightScheme, ctx: LoweringContext): Lowered[] {
  const capability = capabilityOf(ctx.hardware);
  const list: Lowered[] = [];
  if (scheme.startsWith('fp8') && capability !== null && capability < 90) {
    list.push(caution('FP8 weights only (Marlin W8A16) below compute capability 9.0: less memory, no FP8 math', FP8));
  }
  if (scheme === 'bnb-int8') {
    list.push(
      caution(
        '8-bit bitsandbytes is deprecated here and runs without CUDA graphs: INT8 weight-only (eetq) takes its place',
        LAUNCHER,
      ),
    );
  }
  if (capability !== null && capability >= 100) {
    list.push(caution(`TGI names no Blackwell kernels for it; ${describeDevice(ctx.hardware)}: test first`, LOADERS));
  }
  if (vendorOf(ctx.hardware) === 'intel') {
    list.push(caution('kernels on Intel accelerators come from their own backend of TGI: test first', LOADERS));
  }
  return list;
}

/** Heads in a repository of their own name the model that they stand on: the launcher is given that repository. */
function modelName(ctx: LoweringContext): { name: string; revision: string | null; note: string } | null {
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return null;
  const method = ctx.value('speculation');
  const heads = method === 'medusa' || method === 'mlp-speculator' ? ctx.checkpoint('draft') : null;
  if (heads !== null) {
    return {
      name: heads.repo,
      revision: heads.revision,
      note: `${method} heads; their config names ${checkpoint.repo}`,
    };
  }
  const isLocal = checkpoint.source === 'recipe' || checkpoint.repo.startsWith('bundled:');
  const name = isLocal ? checkpoint.fileName : checkpoint.repo;
  return { name, revision: checkpoint.revision, note: checkpoint.format };
}

export function lowerTgiWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft') return lowerHeads(ctx);
  if (scope !== 'target') return unsupported(`TGI loads no weights for the scope ${scope}`, LAUNCHER);
  const { container, scheme } = readWeightFormat(format);
  if (container === 'gguf') {
    return unsupported(
      'GGUF files run only in the separate llama.cpp backend of TGI',
      `${LAUNCHER}, Quantization`,
      'llama.cpp',
    );
  }
  const model = modelName(ctx);
  if (model === null) return unsupported(`no checkpoint is known for ${format}`, LAUNCHER);
  const support = scheme === null ? undefined : SUPPORTED[scheme];
  const refusal = scheme === null ? null : refuse(scheme, support, ctx);
  if (refusal !== null) return refusal;
  const isOnline = ctx.checkpoint('target')?.source === 'online';
  const quantize = isOnline ? support?.online : support?.ready;
  const note = quantize === null ? 'quantization read from the checkpoint' : support?.note;
  const lowered = args(
    { flag: '--model-id', value: model.name, note: quantize === null ? `${model.note}; ${note}` : model.note },
    ...(model.revision === null ? [] : [{ flag: '--revision', value: model.revision }]),
    ...(typeof quantize === 'string'
      ? [{ flag: '--quantize', value: quantize, ...(note === undefined ? {} : { note }) }]
      : []),
  );
  return scheme === null ? lowered : several(lowered, ...cautions(scheme, ctx));
}

function lowerHeads(ctx: LoweringContext): Lowered {
  const method = ctx.value('speculation');
  return method === 'medusa' || method === 'mlp-speculator'
    ? { kind: 'carried', by: 'weightsFormat' }
    : unsupported('only heads of Medusa or an MLP speculator are read beside the model', `${LAUNCHER}, --speculate`);
}

/** `--dtype` excludes `--quantize`, bitsandbytes apart. */
export function lowerTgiDtype(dtype: string, ctx: LoweringContext): Lowered {
  if (dtype === 'float32') return unsupported('TGI computes in float16 or bfloat16', `${LAUNCHER}, --dtype`);
  const scheme = readWeightFormat(ctx.checkpoint('target')?.format ?? '').scheme;
  if (scheme !== null && !scheme.startsWith('bnb-')) {
    return unsupported(
      `--dtype and --quantize exclude each other: ${scheme} brings its own compute type`,
      `${LAUNCHER}; server/text_generation_server/cli.py`,
    );
  }
  return args({ flag: '--dtype', value: dtype });
}

/** 2:4 has kernels for INT4 and INT8 in the Marlin-24 layout only; all else loads dense. */
export function lowerTgiSparsity(kind: 'structured' | 'unstructured' | '2:4'): Lowered {
  if (kind === 'structured') return { kind: 'carried', by: 'weightsFormat' };
  const message =
    kind === '2:4'
      ? '2:4 weights are faster only as an INT4 or INT8 checkpoint in the marlin_24 layout; any other loads dense'
      : 'unstructured zeros load dense: no less memory, no more speed';
  return several({ kind: 'carried', by: 'weightsFormat' }, caution(message, `${TENSORS}, WNA16Int24Loader`));
}
