import type { SettingName } from '../../plan/settings';
import { capabilityOf } from '../device';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { arg, caution, inTarget, tokensPerDecodingSequence, unsupported } from '../lower';

const COMPILATION = 'vLLM @017e9f4448, vllm/config/compilation.py';
const PLATFORM_CPU = 'vLLM @017e9f4448, vllm/platforms/cpu.py';

/** Settings that share --compilation-config; the first one that was asked for holds it, in this order. */
const MEMBERS = ['torchCompile', 'cudaGraphs', 'operatorFusion'] as const satisfies SettingName[];
type Member = (typeof MEMBERS)[number];

/** Passes beyond the elimination of no-ops. Reductions over ranks exist with tensor parallelism only. */
function passes(state: 'on' | 'off', ctx: LoweringContext): Record<string, boolean> {
  const on = state === 'on';
  const capability = capabilityOf(ctx.hardware);
  const isShared = (ctx.value('tensorParallel') ?? 1) > 1;
  const reduces = isShared && (!on || (capability !== null && capability >= 90));
  return {
    fuse_norm_quant: on,
    fuse_act_quant: on,
    fuse_attn_quant: on,
    ...(reduces ? { fuse_allreduce_rms: on } : {}),
  };
}

/**
 * Graph mode. Without torch.compile vLLM drops its usual mode, pieces of a compiled graph, to none at all: graphs of
 * the whole decoding step are what is left.
 */
function graphMode(ctx: LoweringContext): string | null {
  const graphs = ctx.value('cudaGraphs');
  if (graphs === 'off') return 'NONE';
  if (ctx.value('torchCompile') === 'off') return 'FULL_DECODE_ONLY';
  return graphs === 'on' ? 'FULL_AND_PIECEWISE' : null;
}

function compilationConfig(ctx: LoweringContext): string {
  const compile = ctx.value('torchCompile');
  const fusion = ctx.value('operatorFusion');
  const mode = ctx.hardware.kind === 'cpu' ? null : graphMode(ctx);
  return JSON.stringify({
    ...(compile === null ? {} : { mode: compile === 'on' ? 3 : 0 }),
    ...(mode === null ? {} : { cudagraph_mode: mode }),
    ...(fusion === null ? {} : { pass_config: passes(fusion, ctx) }),
  });
}

const NOTES: Readonly<Record<string, string>> = {
  'torchCompile off':
    'mode 0 compiles nothing; graphs of whole decoding steps stay, the usual ones are made of compiled pieces',
  'cudaGraphs off': 'kernels are launched one by one',
};

function shared(own: Member, state: 'on' | 'off', ctx: LoweringContext): Lowered {
  const holder = MEMBERS.find((name) => name === own || ctx.value(name) !== null);
  if (holder !== undefined && holder !== own) return { kind: 'carried', by: holder };
  return arg('--compilation-config', compilationConfig(ctx), NOTES[`${own} ${state}`]);
}

function lowerGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind !== 'cpu') return shared('cudaGraphs', state, ctx);
  return state === 'on'
    ? unsupported('a CPU has no graphs to replay', PLATFORM_CPU)
    : caution('nothing changes: a CPU has no graphs to replay', PLATFORM_CPU);
}

function lowerFusion(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') {
    return unsupported('the fusion passes are written for CUDA and ROCm', 'vLLM @017e9f4448, vllm/compilation/passes');
  }
  if (state === 'on' && ctx.value('torchCompile') === 'off') {
    return unsupported('the fusion passes run inside torch.compile, which is off', COMPILATION);
  }
  return shared('operatorFusion', state, ctx);
}

/** Sizes of graphs count tokens: a decoding sequence brings its drafted ones along. */
function lowerGraphBatch(sequences: number, ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'cpu') return unsupported('a CPU has no graphs to capture', PLATFORM_CPU);
  if (ctx.value('cudaGraphs') === 'off') return unsupported('no graph is captured: CUDA graphs are off', COMPILATION);
  const each = tokensPerDecodingSequence(ctx);
  const note = each === 1 ? undefined : `${sequences} sequences × ${each} tokens = ${sequences * each}`;
  return arg('--max-cudagraph-capture-size', sequences * each, note);
}

export const vllmCompilation = {
  torchCompile: inTarget('torchCompile', COMPILATION, (state, ctx) => shared('torchCompile', state, ctx)),
  cudaGraphs: inTarget('cudaGraphs', COMPILATION, lowerGraphs),
  cudaGraphMaxBatch: inTarget('cudaGraphMaxBatch', COMPILATION, lowerGraphBatch),
  operatorFusion: inTarget('operatorFusion', COMPILATION, lowerFusion),
} satisfies Partial<LoweringTable>;
