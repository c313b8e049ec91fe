import { findModel } from '../../facts/models';
import type { Scope } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { arg, caution, inTarget, several, unsupported } from '../lower';
import { insideDraft } from './inside-speculation';

const PARALLEL = 'vLLM @017e9f4448, vllm/config/parallel.py';
const DP_DOCS = 'vLLM docs/serving/data_parallel_deployment.md';

type Degree = 'tensorParallel' | 'pipelineParallel' | 'dataParallel' | 'attentionDataParallel';
const WORDS: Readonly<Record<Degree, string>> = {
  tensorParallel: 'tensor-parallel ranks',
  pipelineParallel: 'pipeline stages',
  dataParallel: 'copies',
  attentionDataParallel: 'attention ranks',
};

/** Null: nobody recorded whether the model has experts. */
function hasExperts(ctx: LoweringContext): boolean | null {
  const facts = findModel(ctx.checkpoint('target')?.model ?? '');
  return facts === null || facts.experts === null ? null : facts.experts !== 'none';
}

/** Devices that all degrees together take; why they are too many, or null. On a CPU ranks are sockets, not devices. */
function devicesFault(own: Degree, value: number, ctx: LoweringContext): Lowered | null {
  if (ctx.hardware.kind === 'cpu' && own !== 'tensorParallel') return null;
  const degrees = (Object.keys(WORDS) as Degree[]).map((name) => ({
    name,
    value: name === own ? value : (ctx.value(name) ?? 1),
  }));
  const needed = degrees.reduce((product, degree) => product * degree.value, 1);
  const { count } = ctx.hardware;
  if (needed <= count) return null;
  const factors = degrees.filter((degree) => degree.name === own || degree.value > 1);
  const sum = factors.map((degree) => `${degree.value} ${WORDS[degree.name]}`).join(' × ');
  return unsupported(`${sum} need ${needed} devices; there ${count === 1 ? 'is' : 'are'} ${count}`, `${PARALLEL}:928`);
}

function lowerTensorParallel(devices: number, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft') {
    const target = ctx.value('tensorParallel') ?? 1;
    return devices === 1 || devices === target
      ? insideDraft(ctx)
      : unsupported(
          `a draft runs on one rank or on as many as the target (${target}), not on ${devices}`,
          'vLLM @017e9f4448, vllm/config/speculative.py:1290',
        );
  }
  if (scope !== 'target') return unsupported(`no parallelism can be set for the scope ${scope}`, PARALLEL);
  return devicesFault('tensorParallel', devices, ctx) ?? arg('--tensor-parallel-size', devices);
}

function lowerDataParallel(copies: number, ctx: LoweringContext): Lowered {
  const fault = devicesFault('dataParallel', copies, ctx);
  if (fault) return fault;
  const flag = arg('--data-parallel-size', copies);
  if (hasExperts(ctx) !== true) return flag;
  const message = `the experts are not copied: they are spread over all ${copies} ranks, which wait for each other`;
  return several(flag, caution(message, DP_DOCS));
}

function lowerAttentionData(ranks: number, ctx: LoweringContext): Lowered {
  if (hasExperts(ctx) === false) {
    return unsupported(
      'vLLM shares only the expert layers between data-parallel ranks; the model has none: take whole copies',
      DP_DOCS,
    );
  }
  const note = 'each rank keeps attention and cache of its own sequences; expert layers are shared';
  return devicesFault('attentionDataParallel', ranks, ctx) ?? arg('--data-parallel-size', ranks, note);
}

/** vLLM spreads experts over every rank there is: the degree is a product, not a number of its own. */
function lowerExpertParallel(ranks: number, ctx: LoweringContext): Lowered {
  const tensor = ctx.value('tensorParallel') ?? 1;
  const data = ctx.value('attentionDataParallel') ?? ctx.value('dataParallel') ?? 1;
  if (ranks === 1) return arg('--no-enable-expert-parallel');
  if (ranks !== tensor * data) {
    return unsupported(
      `experts are spread over all ${tensor} tensor-parallel × ${data} data-parallel ranks = ${tensor * data}, not over ${ranks}`,
      'vLLM docs/serving/expert_parallel_deployment.md',
    );
  }
  return arg('--enable-expert-parallel', null, `over ${tensor} × ${data} = ${ranks} ranks`);
}

function lowerContextParallel(ranks: number, ctx: LoweringContext): Lowered {
  const tensor = ctx.value('tensorParallel') ?? 1;
  if (tensor % ranks !== 0) {
    return unsupported(
      `the ranks are carved out of the ${tensor} tensor-parallel ones; ${ranks} do not divide them`,
      `${PARALLEL}:532`,
    );
  }
  return arg('--decode-context-parallel-size', ranks, `the cache of a sequence lies on ${ranks} of ${tensor} ranks`);
}

export const vllmParallel = {
  tensorParallel: lowerTensorParallel,
  pipelineParallel: inTarget(
    'pipelineParallel',
    PARALLEL,
    (stages, ctx) => devicesFault('pipelineParallel', stages, ctx) ?? arg('--pipeline-parallel-size', stages),
  ),
  dataParallel: inTarget('dataParallel', PARALLEL, lowerDataParallel),
  expertParallel: inTarget('expertParallel', PARALLEL, lowerExpertParallel),
  attentionDataParallel: inTarget('attentionDataParallel', PARALLEL, lowerAttentionData),
  contextParallel: inTarget('contextParallel', PARALLEL, lowerContextParallel),
  cpuExpertLayers: {
    unsupported: 'vLLM keeps the experts of every layer on the devices; --cpu-offload-gb moves whole weights by size',
    source: 'vLLM @017e9f4448, vllm/config/offload.py',
  },
  deviceLayers: {
    unsupported: 'vLLM computes every layer on the devices; --cpu-offload-gb keeps weights in host memory by size',
    source: 'vLLM @017e9f4448, vllm/config/offload.py',
  },
} satisfies Partial<LoweringTable>;
