import { findHardware } from '../../facts/hardware';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, unsupported } from '../lower';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';

type Degree = 'tensorParallel' | 'pipelineParallel' | 'dataParallel';
const degree = (ctx: LoweringContext, name: Degree): number => ctx.value(name) ?? 1;

/** Why the ranks do not fit on the devices; null where they do. CPU ranks lie on NUMA nodes, which nobody counted. */
function tooMany(ranks: number, sum: string, ctx: LoweringContext): Lowered | null {
  const { count, kind } = ctx.hardware;
  if (kind === 'cpu' || ranks <= count) return null;
  return unsupported(
    `${sum} ranks need ${ranks} devices; there ${count === 1 ? 'is' : 'are'} ${count}`,
    `${ARGS}:6684`,
  );
}

export function lowerSglangTensor(ranks: number, ctx: LoweringContext): Lowered {
  return tooMany(ranks, `${ranks} tensor-parallel`, ctx) ?? arg('--tp-size', ranks);
}

export function lowerSglangPipeline(stages: number, ctx: LoweringContext): Lowered {
  const tensor = degree(ctx, 'tensorParallel');
  return tooMany(stages * tensor, `${stages} stages × ${tensor} tensor-parallel`, ctx) ?? arg('--pp-size', stages);
}

/** Whole copies behind one server. */
export function lowerSglangData(copies: number, ctx: LoweringContext): Lowered {
  if (copies > 1 && (ctx.value('attentionDataParallel') ?? 1) > 1) {
    return unsupported(
      '--dp-size counts either whole copies or ranks of data-parallel attention: run further copies as replicas',
      `${ARGS}, _handle_data_parallelism`,
    );
  }
  const each = degree(ctx, 'tensorParallel') * degree(ctx, 'pipelineParallel');
  return (
    tooMany(copies * each, `${copies} copies × ${each}`, ctx) ?? arg('--dp-size', copies, `${copies} × ${each} devices`)
  );
}

/** The ranks of data-parallel attention are carved out of the tensor-parallel group: --tp-size stays their product. */
export function lowerSglangAttentionData(groups: number, ctx: LoweringContext): Lowered {
  if (groups === 1) return already;
  const ranks = degree(ctx, 'tensorParallel');
  if (ranks % groups !== 0) {
    return unsupported(
      `${groups} attention groups cannot share ${ranks} tensor-parallel ranks evenly: the engine wants a divisor of --tp-size`,
      `${ARGS}:6684`,
    );
  }
  const note = `${ranks} ranks ÷ ${groups} = attention over ${ranks / groups}; a prefill chunk is divided by ${groups}`;
  return args({ flag: '--dp-size', value: String(groups), note }, { flag: '--enable-dp-attention', value: null });
}

export function lowerSglangExperts(groups: number, ctx: LoweringContext): Lowered {
  const ranks = degree(ctx, 'tensorParallel');
  return ranks % groups === 0
    ? arg('--ep-size', groups, `experts over ${groups} groups, each expert over ${ranks / groups} of ${ranks} ranks`)
    : unsupported(`${groups} expert groups must divide the ${ranks} tensor-parallel ranks`, `${ARGS}, --ep-size`);
}

export function lowerSglangContextRanks(groups: number, ctx: LoweringContext): Lowered {
  if (groups === 1) return arg('--attn-cp-size', 1);
  const ranks = degree(ctx, 'tensorParallel');
  const attention = ctx.value('attentionDataParallel') ?? 1;
  return ranks % (groups * attention) === 0
    ? args(
        { flag: '--attn-cp-size', value: String(groups), note: `carved out of ${ranks} tensor-parallel ranks` },
        { flag: '--enable-prefill-cp', value: null },
        { flag: '--cp-strategy', value: 'zigzag', note: 'each rank takes one early and one late piece' },
      )
    : unsupported(
        `context groups × attention groups (${groups} × ${attention}) must divide ${ranks} tensor-parallel ranks`,
        `${ARGS}:6560`,
      );
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Chunk and captured batch that the engine chooses by the memory of the device, MiB. */
function chosenByMemory(mib: number, ranks: number): { chunk: number; batch: number } {
  const few = ranks < 4;
  if (mib < 20 * 1024) return { chunk: 2048, batch: 8 };
  if (mib < 35 * 1024) return { chunk: 2048, batch: few ? 24 : 80 };
  if (mib < 60 * 1024) return { chunk: 4096, batch: few ? 32 : 160 };
  if (mib < 160 * 1024) return { chunk: 8192, batch: few ? 256 : 512 };
  return { chunk: 16384, batch: 512 };
}

/**
 * What the engine itself leaves for activations and CUDA graphs, MiB: 512 + 1.5 a prefill token + 128 a rank + 2 a
 * captured sequence, and at least 10 GiB on a device of more than 60 GiB.
 */
function reserveMib(mib: number, ctx: LoweringContext): number {
  const ranks = degree(ctx, 'tensorParallel') * degree(ctx, 'pipelineParallel');
  const chosen = chosenByMemory(mib, degree(ctx, 'tensorParallel'));
  const tokens = Math.max(ctx.value('prefillTokensPerStep') ?? chosen.chunk, 2048);
  const graphs = ctx.value('cudaGraphs') === 'off' ? 0 : 2 * (ctx.value('cudaGraphMaxBatch') ?? chosen.batch);
  const sum = 512 + 1.5 * tokens + 128 * ranks + graphs;
  return mib > 60 * 1024 ? Math.max(sum, 10 * 1024) : sum;
}

/**
 * The share of vLLM's meaning covers all that the engine takes; --mem-fraction-static covers weights and cache alone.
 * So what activations and graphs take is subtracted: static = fraction − reserve ÷ memory.
 */
export function lowerSglangMemory(fraction: number, ctx: LoweringContext): Lowered {
  const source = `${ARGS}:4802, _handle_gpu_memory_settings`;
  if (ctx.hardware.kind === 'cpu') {
    return unsupported(
      'on a CPU the share is one of the host: set --max-total-tokens as a raw argument instead',
      source,
    );
  }
  const facts = findHardware(ctx.hardware.id);
  const memory = facts?.usableMemoryBytes ?? facts?.memoryBytes ?? null;
  if (memory === null) {
    return unsupported(
      `the memory of ${ctx.hardware.id} is unknown, so the share of weights and cache cannot be told`,
      source,
    );
  }
  const reserve = reserveMib(memory / MIB, ctx) * MIB;
  const share = Math.floor((fraction - reserve / memory) * 1000) / 1000;
  const sum = `${fraction} − ${(reserve / GIB).toFixed(1)} ÷ ${(memory / GIB).toFixed(1)} GiB`;
  return share > 0
    ? arg(
        '--mem-fraction-static',
        share,
        `weights and cache only; activations and graphs come on top: ${sum} = ${share}`,
      )
    : unsupported(`activations and graphs alone take that share (${sum} leaves nothing)`, source);
}

/** Whole GiB of weights that each rank keeps in host memory. */
export function lowerSglangOffload(bytes: number): Lowered {
  const gib = Math.ceil(bytes / GIB);
  return arg('--cpu-offload-gb', gib, `whole GiB for each rank: ${(bytes / GIB).toFixed(2)}, rounded up`);
}

/** One range of cores for each tensor-parallel rank. */
export function lowerSglangThreads(threads: number, ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'gpu') {
    return unsupported('SGLang on a GPU computes there; threads of the host are not a setting', ARGS);
  }
  const ranges = Array.from({ length: degree(ctx, 'tensorParallel') }, (_, rank) => {
    const first = rank * threads;
    return threads === 1 ? String(first) : `${first}-${first + threads - 1}`;
  });
  return { kind: 'env', env: { SGLANG_CPU_OMP_THREADS_BIND: ranges.join('|') } };
}
