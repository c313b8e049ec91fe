import type { Scope, SettingName, SettingValues } from '../../plan/settings';
import { vendorOf } from '../device';
import type { Lowered, Lowering, LoweringContext, LoweringTable } from '../engine';
import { already, arg, args, caution, inTarget, stepBudget, unsupported } from '../lower';
import { ARG_CPP, CUDA, EMBEDDED, isEmbedded, SERVER_README } from './sources';

const MULTI_GPU = 'llama.cpp b10573, docs/multi-gpu.md and src/llama-context.cpp:3580';

function lowerBackend(backend: SettingValues['attentionBackend']): Lowered {
  if (backend === 'eager') return arg('--flash-attn', 'off', 'the score matrix is written out');
  return unsupported(
    `llama.cpp has kernels of its own, with or without flash attention, and not ${backend}`,
    `${ARG_CPP}, --flash-attn`,
    'vllm',
  );
}

/** Switches that ggml's CUDA backend reads from its environment; other backends have nothing of the kind. */
function cudaSwitch(variable: string, what: string): (state: 'on' | 'off', ctx: LoweringContext) => Lowered {
  return (state, ctx) => {
    if (ctx.hardware.kind === 'cpu' || isEmbedded(ctx)) {
      return state === 'on'
        ? unsupported(`only the CUDA backend has ${what}`, CUDA)
        : caution(`nothing changes: only the CUDA backend has ${what}`, CUDA);
    }
    if (vendorOf(ctx.hardware) !== 'nvidia') {
      return unsupported(`${ctx.hardware.id}: ${what} can be switched in the CUDA backend alone`, CUDA);
    }
    return state === 'on' ? already : { kind: 'env', env: { [variable]: '1' } };
  };
}

function lowerPrefillChunk(tokens: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) {
    const note = `${tokens} prompt tokens a step; decoding sequences come on top`;
    return args(
      { flag: '--batch-size', value: String(tokens), note },
      { flag: '--ubatch-size', value: String(tokens) },
    );
  }
  const budget = stepBudget(tokens, ctx);
  return args(
    { flag: '--batch-size', value: String(budget.tokens), note: budget.note },
    { flag: '--ubatch-size', value: String(budget.tokens), note: 'the whole step in one physical batch' },
  );
}

function lowerTensorParallel(devices: number, ctx: LoweringContext): Lowered {
  if (devices === 1) return already;
  if (isEmbedded(ctx)) return unsupported('the embedded engine runs on one device', EMBEDDED);
  if (devices !== ctx.hardware.count) {
    return unsupported(
      `llama-server splits tensors over every device it is given: ${ctx.hardware.count} here, not ${devices}`,
      MULTI_GPU,
    );
  }
  return arg('--split-mode', 'tensor', `experimental; over all ${devices} devices`);
}

/** Layers in turn on one device after the other: what llama-server does with several devices anyway. */
function lowerPipeline(stages: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) {
    return stages === 1 ? already : unsupported('the embedded engine runs on one device', EMBEDDED);
  }
  if (stages === 1) return arg('--split-mode', 'none', 'one device');
  if (stages !== ctx.hardware.count) {
    return unsupported(
      `llama-server lays its layers over every device it is given: ${ctx.hardware.count} here, not ${stages}`,
      MULTI_GPU,
    );
  }
  return arg('--split-mode', 'layer', `over all ${stages} devices`);
}

function lowerDeviceLayers(layers: number, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope !== 'target' && scope !== 'draft')
    return unsupported(`no layers are placed for the scope ${scope}`, ARG_CPP);
  if (isEmbedded(ctx) || ctx.hardware.kind === 'cpu') {
    const where = isEmbedded(ctx) ? 'the embedded engine computes on the CPU' : 'there is no device but the CPU';
    return layers === 0 ? caution(`nothing changes: ${where}`, EMBEDDED) : unsupported(where, EMBEDDED);
  }
  return arg(scope === 'target' ? '--gpu-layers' : '--spec-draft-ngl', layers);
}

function lowerCpuExperts(layers: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx) || ctx.hardware.kind === 'cpu') {
    return unsupported('every layer is on the CPU already', isEmbedded(ctx) ? EMBEDDED : ARG_CPP);
  }
  return arg('--n-cpu-moe', layers, `experts of the first ${layers} layers`);
}

/** A degree that llama.cpp has in one size only. */
const onlyOne = <K extends SettingName>(name: K, reason: string): Lowering<K> =>
  inTarget(name, MULTI_GPU, (value) => ((value as number) === 1 ? already : unsupported(reason, MULTI_GPU)));

export const llamaCppCompute = {
  flashAttention: inTarget('flashAttention', ARG_CPP, (state) => arg('--flash-attn', state)),
  attentionBackend: inTarget('attentionBackend', ARG_CPP, lowerBackend),
  torchCompile: inTarget('torchCompile', ARG_CPP, (state) =>
    state === 'off' ? already : unsupported('llama.cpp is C++; there is no PyTorch to compile', ARG_CPP, 'vllm'),
  ),
  cudaGraphs: inTarget('cudaGraphs', CUDA, cudaSwitch('GGML_CUDA_DISABLE_GRAPHS', 'CUDA graphs')),
  cudaGraphMaxBatch: { unsupported: 'graphs are captured as batches come; there is no largest one', source: CUDA },
  operatorFusion: inTarget('operatorFusion', CUDA, cudaSwitch('GGML_CUDA_DISABLE_FUSION', 'fused operations')),
  threads: inTarget('threads', ARG_CPP, (threads) => arg('--threads', threads)),
  maxSequences: inTarget('maxSequences', ARG_CPP, (sequences) =>
    sequences > 256
      ? unsupported(
          'llama.cpp decodes at most 256 sequences together (LLAMA_MAX_SEQ)',
          'llama.cpp b10573, src/llama-cparams.h',
        )
      : arg('--parallel', sequences),
  ),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', SERVER_README, lowerPrefillChunk),
  tensorParallel: inTarget('tensorParallel', ARG_CPP, lowerTensorParallel),
  pipelineParallel: inTarget('pipelineParallel', ARG_CPP, lowerPipeline),
  dataParallel: onlyOne('dataParallel', 'a llama-server holds one copy of the model: take replicas'),
  expertParallel: onlyOne('expertParallel', 'experts are split with the tensors or lie with their layer'),
  attentionDataParallel: onlyOne('attentionDataParallel', 'attention is split as the rest of the layer is'),
  contextParallel: onlyOne('contextParallel', 'a sequence lies in one cache as a whole'),
  cpuOffloadBytes: {
    unsupported:
      'llama.cpp places whole layers or experts, not bytes: set the layers on the device, or the experts on the CPU',
    source: ARG_CPP,
  },
  cpuExpertLayers: inTarget('cpuExpertLayers', ARG_CPP, lowerCpuExperts),
  deviceLayers: lowerDeviceLayers,
} satisfies Partial<LoweringTable>;
