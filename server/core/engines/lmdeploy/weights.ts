import type { Scope, SettingValues, WeightScheme } from '../../plan/settings';
import { capabilityOf, describeDevice, vendorOf } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { arg, args, caution, several, unsupported } from '../lower';
import { readWeightFormat } from '../weight-format';

const CLI = 'LMDeploy v0.16.0, lmdeploy/cli/utils.py';
const CONVERTER = 'LMDeploy v0.16.0, lmdeploy/turbomind/converter.py';
const PYTORCH = 'LMDeploy v0.16.0, lmdeploy/pytorch/config.py';

export const isPytorch = (ctx: LoweringContext): boolean => ctx.runtime === 'pytorch';

/** LMDeploy's kernels are for NVIDIA GPUs (and boards that this project does not know); null where the device is one. */
export function lmdeployDeviceRefusal(ctx: LoweringContext): Lowered | null {
  const vendor = vendorOf(ctx.hardware);
  return ctx.hardware.kind === 'cpu' || (vendor !== null && vendor !== 'nvidia')
    ? unsupported(`LMDeploy runs on NVIDIA GPUs; ${describeDevice(ctx.hardware)}`, `${CLI}, --device`)
    : null;
}

/** How a backend reads a scheme: the value of --model-format (null: told by the checkpoint) and the lowest capability × 10. */
interface Support {
  format: string | null;
  least: number;
}
type Backend = 'turbomind' | 'pytorch';

const SUPPORTED: Partial<Readonly<Record<WeightScheme, Partial<Record<Backend, Support>>>>> = {
  'awq-int4': { turbomind: { format: 'awq', least: 70 }, pytorch: { format: null, least: 75 } },
  'gptq-int4': { turbomind: { format: 'gptq', least: 70 } },
  w4a16: { turbomind: { format: 'compressed-tensors', least: 70 } },
  'fp8-block': { turbomind: { format: 'fp8', least: 70 }, pytorch: { format: null, least: 89 } },
  fp8: { pytorch: { format: null, least: 89 } },
  'int8-w8a8': { pytorch: { format: null, least: 75 } },
  mxfp4: { turbomind: { format: 'mxfp4', least: 70 } },
};

const other = (backend: Backend): Backend => (backend === 'pytorch' ? 'turbomind' : 'pytorch');

function judge(scheme: WeightScheme, backend: Backend, ctx: LoweringContext): Support | Lowered {
  const both = SUPPORTED[scheme];
  if (both === undefined) {
    return unsupported(
      `LMDeploy reads no ${scheme} checkpoints`,
      `${CONVERTER}; ${PYTORCH}, QuantizationConfig`,
      'vllm',
    );
  }
  const support = both[backend];
  if (support === undefined) {
    return unsupported(
      `the ${backend} backend reads no ${scheme} checkpoints: take the runtime ${other(backend)}`,
      `${CONVERTER}; ${PYTORCH}`,
    );
  }
  const capability = capabilityOf(ctx.hardware);
  return capability !== null && capability < support.least
    ? unsupported(
        `${scheme} needs compute capability ${(support.least / 10).toFixed(1)} here; ${describeDevice(ctx.hardware)}`,
        'LMDeploy v0.16.0, docs/en/supported_models',
      )
    : support;
}

/** What runs, but not by kernels of that format. */
function cautionOf(scheme: WeightScheme, ctx: LoweringContext): Lowered | null {
  const capability = capabilityOf(ctx.hardware);
  if (scheme === 'fp8-block' && capability !== null && capability < 89) {
    return caution(
      `FP8 math starts with compute capability 8.9; ${describeDevice(ctx.hardware)}: TurboMind reads the weights in 8 bits and computes in 16`,
      'LMDeploy v0.16.0, docs/en/supported_models',
    );
  }
  if ((scheme === 'fp8' || scheme === 'int8-w8a8') && capability !== null && capability >= 100) {
    return caution(
      `nobody has documented ${scheme} on Blackwell here: test first`,
      'LMDeploy v0.16.0, docs/en/quantization/w8a8.md',
    );
  }
  return null;
}

/** The value of --model-format; null: told by the checkpoint. */
function formatOf(scheme: WeightScheme, backend: Backend, ctx: LoweringContext): { format: string | null } | Lowered {
  if (ctx.checkpoint('target')?.source !== 'online') return judge(scheme, backend, ctx);
  if (scheme !== 'fp8-block') {
    return unsupported(
      `LMDeploy makes only block-scaled FP8 at load, not ${scheme}: run lmdeploy lite, or name a checkpoint`,
      `${PYTORCH}:308`,
    );
  }
  if (backend !== 'pytorch') return unsupported('only the pytorch runtime quantizes at load', `${PYTORCH}:308`);
  const judged = judge(scheme, backend, ctx);
  return 'kind' in judged ? judged : { format: 'fp8' };
}

function lowerTarget(format: string, ctx: LoweringContext): Lowered {
  const refused = lmdeployDeviceRefusal(ctx);
  if (refused !== null) return refused;
  if (format.startsWith('gguf:'))
    return unsupported('LMDeploy reads no GGUF: use llama.cpp, or a safetensors checkpoint', CONVERTER, 'llama.cpp');
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, CLI);
  const { scheme } = readWeightFormat(format);
  const backend: Backend = isPytorch(ctx) ? 'pytorch' : 'turbomind';
  const method = scheme === null ? { format: null } : formatOf(scheme, backend, ctx);
  if ('kind' in method) return method;
  const isFile = checkpoint.source === 'recipe' || checkpoint.repo.startsWith('bundled:');
  const online = checkpoint.source === 'online' ? { note: 'quantized while loading' } : {};
  const lowered = args(
    { flag: isFile ? checkpoint.fileName : checkpoint.repo, value: null, note: checkpoint.format },
    {
      flag: '--backend',
      value: backend,
      ...(backend === 'turbomind' ? { note: 'falls to pytorch for a model that it does not know' } : {}),
    },
    ...(method.format === null ? [] : [{ flag: '--model-format', value: method.format, ...online }]),
    ...(checkpoint.revision === null ? [] : [{ flag: '--revision', value: checkpoint.revision }]),
  );
  const warned = scheme === null ? null : cautionOf(scheme, ctx);
  return warned === null ? lowered : several(lowered, warned);
}

export function lowerLmdeployWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'target') return lowerTarget(format, ctx);
  if (scope !== 'draft') return unsupported(`LMDeploy loads no weights for the scope ${scope}`, CLI);
  const checkpoint = ctx.checkpoint('draft');
  if ((ctx.value('speculation') ?? 'off') === 'off')
    return unsupported('draft weights mean nothing without speculation', CLI);
  if (checkpoint === null || format.startsWith('gguf:'))
    return unsupported(`no safetensors checkpoint is known for the draft (${format})`, CLI);
  return arg(
    '--speculative-draft-model',
    checkpoint.source === 'recipe' ? checkpoint.fileName : checkpoint.repo,
    checkpoint.format,
  );
}

export function lowerLmdeploySparsity(kind: SettingValues['weightsSparsity']): Lowered {
  if (kind === 'structured') return { kind: 'carried', by: 'weightsFormat' };
  return several(
    { kind: 'carried', by: 'weightsFormat' },
    caution(
      `LMDeploy has no kernels for ${kind} sparsity: the weights load dense, no smaller and no faster`,
      'LMDeploy v0.16.0 (absence)',
    ),
  );
}

export function lowerLmdeployDtype(dtype: SettingValues['computeDtype']): Lowered {
  return dtype === 'float32'
    ? unsupported('LMDeploy computes in float16 or bfloat16; a float32 checkpoint is converted', `${CLI}, --dtype`)
    : arg('--dtype', dtype);
}
