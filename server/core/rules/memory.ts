import { bitsPerWeight } from '../engines/weight-memory';
import type { HardwareFacts } from '../facts/hardware-facts';
import { kvCopies, kvElementsOfSequence } from '../facts/kv-cache';
import { type ModelFacts, partOf } from '../facts/model-facts';
import type { Scope } from '../plan/settings';
import { closedConcurrency } from './judge';
import type { RuleContext } from './rule';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

export const inGib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

/** Bits of one value of a cache type. */
const CACHE_BITS: Readonly<Record<string, number>> = {
  F32: 32,
  F16: 16,
  BF16: 16,
  FP8: 8,
  FP8_E5M2: 8,
  INT8: 8,
  INT4: 4,
  NVFP4: 4.5,
  Q8_0: 8.5,
  Q5_1: 6,
  Q5_0: 5.5,
  Q4_0: 4.5,
  IQ4_NL: 4.5,
};

/** Engines that keep window layers apart at their window's length (vLLM's hybrid manager, SGLang's SWA pool, …). */
const KEEPS_WINDOWS = ['vllm', 'sglang', 'tensorrt-llm', 'llama.cpp'];

/**
 * The most that the device can hold: what its driver shows, else the vendor's figure taken for GiB, which it is at
 * most. Null: nobody recorded it.
 */
export function capacityBytes(facts: HardwareFacts | null): number | null {
  if (facts === null || facts.memoryBytes === null) return null;
  return facts.usableMemoryBytes ?? (facts.kind === 'gpu' ? (facts.memoryBytes / 1e9) * GIB : facts.memoryBytes);
}

export interface WeightBytes {
  /** Every parameter at the bits of the format: no checkpoint is smaller. */
  least: number;
  /** Embedding and head in 16 bits, where the format leaves them so (notes.md 1). */
  likely: number;
}

/** Weights of one scope, all devices together; a text where a fact is missing. */
export function weightBytes(ctx: RuleContext, scope: Scope): WeightBytes | string | null {
  const model = ctx.models[scope];
  const checkpoint = ctx.checkpoints.find((entry) => entry.scope === scope);
  if (model === undefined || checkpoint === undefined) return null;
  const { facts } = model;
  const params = facts?.paramsTotal ?? facts?.paramsPublished ?? null;
  if (facts === null || params === null) return `parameters of ${model.id}`;
  const bits = bitsPerWeight(checkpoint.format);
  if (bits === null) return `bits per weight of ${checkpoint.format}`;
  const least = (params * bits) / 8;
  const isWhole = checkpoint.format.startsWith('gguf:') || bits >= 16;
  const plain = isWhole ? 0 : (facts.paramsEmbedding ?? 0) * (facts.tiedEmbeddings === true ? 1 : 2);
  return { least, likely: least + plain * Math.max(0, 2 - bits / 8) };
}

/** Devices over which one copy of the weights is spread. llama.cpp spreads layers over all it is given. */
export function spreadOf(ctx: RuleContext): number {
  if (ctx.engine.id === 'llama.cpp') return Math.max(1, ctx.hardware.count);
  return (ctx.value('tensorParallel') ?? 1) * (ctx.value('pipelineParallel') ?? 1);
}

/**
 * Bytes of one sequence's cache on one device, with all devices sharing the load evenly; null where a fact is missing.
 * With attention data parallelism a sequence lives in one group of ranks: heads are copied within that group only.
 */
export function cacheBytesPerSequence(ctx: RuleContext, facts: ModelFacts, tokens: number): number | null {
  const elements = kvElementsOfSequence(facts, tokens, KEEPS_WINDOWS.includes(ctx.engine.id));
  const [key, value] = [ctx.value('kvCacheKeyType'), ctx.value('kvCacheValueType')].map((t) => CACHE_BITS[t ?? 'F16']);
  const tensor = ctx.engine.id === 'llama.cpp' ? 1 : (ctx.value('tensorParallel') ?? 1);
  const copies = kvCopies(facts, Math.max(1, tensor / (ctx.value('attentionDataParallel') ?? 1)));
  if (elements === null || key === undefined || value === undefined || copies === null) return null;
  const bytes = (elements * (key + value)) / 2 / 8;
  return (bytes * copies) / spreadOf(ctx);
}

/** Sequences that one copy of the model keeps at once: clients of closed loops, at most what the engine runs together. */
export function sequencesOf(ctx: RuleContext): number {
  const clients = Math.max(1, ...ctx.workloads.map(closedConcurrency));
  const running = Math.min(clients, ctx.value('maxSequences') ?? clients);
  // llama.cpp allocates every slot when it starts.
  if (ctx.engine.id === 'llama.cpp') return ctx.value('maxSequences') ?? 1;
  return Math.ceil(running / (ctx.value('dataParallel') ?? 1));
}

/** Tokens that one sequence keeps: the longest request; in llama.cpp the whole slot. Null where nobody says. */
export function tokensOfSequence(ctx: RuleContext): number | null {
  if (ctx.engine.id === 'llama.cpp') return ctx.value('contextTokensPerSequence');
  if (ctx.workloads.length === 0) return null;
  return Math.max(...ctx.workloads.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
}

/** Activation factor of AIConfigurator's memory model at TP 1, 2, 4, 8 (notes.md 3). */
const ACTIVATION = { dense: [11, 6.5, 5, 5], experts: [22, 13, 10, 10] } as const;
const NCCL_BYTES = { two: 342e6, more: 392e6 } as const;
/** Captured graphs take 1 to 3 GiB, recalled in notes.md 3; the least is counted. */
const GRAPH_BYTES = GIB;
const LEAST_ACTIVATION = 70 * MIB;

/** What the engine needs beside weights and cache on one device: activations of a full step, NCCL, graphs. */
export function overheadBytes(ctx: RuleContext, facts: ModelFacts): number {
  if (ctx.engine.id === 'llama.cpp') return LEAST_ACTIVATION;
  const ranks = ctx.value('tensorParallel') ?? 1;
  const step = ctx.value('prefillTokensPerStep') ?? 2048;
  const factors = partOf(facts.experts) === null ? ACTIVATION.dense : ACTIVATION.experts;
  const factor = factors[Math.min(3, Math.floor(Math.log2(ranks)))] ?? factors[3];
  const activation = Math.max(LEAST_ACTIVATION, 2 * step * facts.heads * (facts.headDim ?? 128) * factor);
  const nccl = ranks === 1 ? 0 : ranks === 2 ? NCCL_BYTES.two : NCCL_BYTES.more;
  return activation + nccl + GRAPH_BYTES;
}
