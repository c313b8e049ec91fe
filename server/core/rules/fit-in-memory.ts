import { type ModelFacts, partOf } from '../facts/model-facts';
import type { Finding } from '../plan/finding';
import { fixParam, judged, notChecked, placeOf } from './judge';
import {
  cacheBytesPerSequence,
  capacityBytes,
  inGib,
  overheadBytes,
  sequencesOf,
  spreadOf,
  tokensOfSequence,
  type WeightBytes,
  weightBytes,
} from './memory';
import type { Rule, RuleContext } from './rule';

const SOURCE =
  'facts/notes.md 1–3: parameters × bits ÷ 8, keys and values of every layer, AIConfigurator memory model; vLLM vllm/v1/worker/gpu_worker.py';

interface Device {
  capacity: number;
  spread: number;
  weights: WeightBytes;
  /** Weights of a draft, whole on every device. */
  draft: number;
  offloaded: number;
}

/** The smallest power-of-two number of ranks on which the weights fit, within the devices there are. */
function smallestFit({ capacity, weights }: Device, heads: number, devices: number): number | null {
  for (let ranks = 1; ranks <= devices; ranks *= 2) {
    if (heads % ranks === 0 && weights.likely / ranks < 0.9 * capacity) return ranks;
  }
  return null;
}

/** The baseline that nobody drew has no node to change: one way out is to declare one that fits. */
function declareBaseline(ctx: RuleContext): Finding['fix'] {
  const node = ctx.nodes.find(({ type }) => type === 'deployment');
  if (node === undefined) return null;
  const edits = [{ op: 'set-param' as const, nodeId: node.id, field: 'baseline', value: true }];
  return { label: `Make "${node.id}" the baseline`, edits };
}

/** Another way out: the same baseline, drawn, with its layers spread over so many ranks. */
function spreadBaseline(ctx: RuleContext, ranks: number): Finding['fix'] {
  const node = ctx.nodes.find(({ type }) => type === 'deployment');
  const model = ctx.models.target?.nodeId;
  const hardware = ctx.hardware.nodeId;
  if (node === undefined || model === undefined || hardware === null) return null;
  const id = ctx.deployment;
  const spread = `${id}-tp`;
  // Metrics, blocks and the quality budget are read from the baseline: they stay as they are drawn.
  const params = { ...node.params, name: null, baseline: true };
  const edges = [
    [model, 'weights', spread, 'serving'],
    [spread, 'serving', id, 'serving'],
    [ctx.engineNodeId, 'engine', id, 'engine'],
    [hardware, 'hardware', id, 'hardware'],
  ] as const;
  return {
    label: `Declare a baseline with TP ${ranks}, the smallest that fits`,
    edits: [
      { op: 'add-node', node: { id: spread, type: 'tensor-parallel', params: { devices: ranks } } },
      { op: 'add-node', node: { id, type: 'deployment', params } },
      ...edges.map(([from, output, to, input]) => ({
        op: 'add-edge' as const,
        edge: { from: { node: from, port: output }, to: { node: to, port: input } },
      })),
    ],
  };
}

function tooLarge(ctx: RuleContext, device: Device, facts: ModelFacts): Finding[] {
  const { capacity, spread, weights, draft, offloaded } = device;
  const each = weights.least / spread;
  const target = ctx.checkpoints.find(({ scope }) => scope === 'target');
  const parts = [
    `${inGib(weights.least)} of weights (${target?.format}) ÷ ${spread} = ${inGib(each)}`,
    ...(draft > 0 ? [`draft ${inGib(draft)}`] : []),
    ...(offloaded > 0 ? [`less ${inGib(offloaded)} kept on the host`] : []),
  ];
  const isMade = ctx.isBaseline && ctx.deploymentNodeId === null;
  const who = isMade ? `The baseline with the engine's defaults: ${facts.id}` : facts.id;
  const message = `${who} does not fit: ${parts.join(', ')} on each ${ctx.hardware.id}, which has ${inGib(capacity)}.`;
  const ranks = smallestFit(device, facts.heads, ctx.hardware.count);
  const parallel = placeOf(ctx, 'tensorParallel');
  const weightsPlace = placeOf(ctx, 'weightsFormat');
  const place = parallel.nodeId === null ? weightsPlace : parallel;
  const spreads =
    ranks === null || ranks === spread ? null : fixParam(parallel, ranks, `Spread it over ${ranks} ranks`);
  const drawn = isMade && ranks !== null ? spreadBaseline(ctx, ranks) : null;
  const fix = isMade ? (drawn ?? declareBaseline(ctx)) : spreads;
  // llama.cpp keeps on the host what the device has no room for.
  const severity = ctx.engine.id === 'llama.cpp' ? 'warning' : 'error';
  const where = place.nodeId === null ? { nodeId: ctx.hardware.nodeId, field: 'count' } : place;
  const found = [judged(fitInMemory, severity, message, { ...where, fix })];
  if (drawn === null) return found;
  const other = 'Or compare with a deployment that is drawn: the one marked as the baseline.';
  return [...found, judged(fitInMemory, 'info', other, { ...where, fix: declareBaseline(ctx) })];
}

/** Weights, cache and the rest against what the engine may take: an estimate, so it only warns. */
function tooTight(ctx: RuleContext, device: Device, facts: ModelFacts): Finding[] {
  const { capacity, spread, weights, draft, offloaded } = device;
  const share = ctx.value('memoryFraction') ?? (ctx.engine.id === 'llama.cpp' ? 1 : 0.9);
  const budget = share * capacity;
  const each = Math.max(0, weights.likely / spread - offloaded) + draft;
  const overhead = overheadBytes(ctx, facts);
  const tokens = tokensOfSequence(ctx);
  if (tokens === null) return [];
  const perSequence = cacheBytesPerSequence(ctx, facts, tokens);
  if (perSequence === null) {
    return [notChecked(fitInMemory, `cache of one sequence of ${facts.id}`, { nodeId: ctx.models.target?.nodeId })];
  }
  const room = budget - each - overhead;
  const wanted = sequencesOf(ctx);
  if (room >= wanted * perSequence) return [];
  const held = Math.max(0, Math.floor(room / perSequence));
  const sum = `${inGib(budget)} (${share} × ${inGib(capacity)}) − weights ${inGib(each)} − activations, graphs and NCCL ${inGib(overhead)} = ${inGib(room)}`;
  const need = `${wanted} × ${inGib(perSequence)} of cache for ${tokens} tokens`;
  const effect =
    held === 0
      ? 'not even one sequence fits'
      : `about ${held} of ${wanted} run at once, the others wait or are preempted`;
  const place = placeOf(ctx, 'maxSequences');
  const where = place.nodeId === null ? { nodeId: ctx.hardware.nodeId, field: 'count' } : place;
  return [
    judged(fitInMemory, 'warning', `Memory of each ${ctx.hardware.id}: ${sum}; needed are ${need}: ${effect}.`, where),
  ];
}

function deviceOf(ctx: RuleContext, weights: WeightBytes, draft: WeightBytes | null, capacity: number): Device {
  const isWhole = ctx.engine.id !== 'llama.cpp' && ctx.value('tensorParallel', 'draft') === 1;
  const draftBytes = draft === null ? 0 : draft.least / (isWhole ? 1 : spreadOf(ctx));
  const offloaded = ctx.value('cpuOffloadBytes') ?? 0;
  return { capacity, spread: spreadOf(ctx), weights, draft: draftBytes, offloaded };
}

/** Layers or experts that stay on the CPU on purpose: how much of the weights that is depends on the layers. */
const keepsPartOnHost = (ctx: RuleContext): boolean =>
  (ctx.asked('deviceLayers')?.value ?? Number.POSITIVE_INFINITY) < (ctx.models.target?.facts?.layers ?? 0) ||
  ctx.asked('cpuExpertLayers') !== null;

/** Whether the weights fit into each device, and what is left for the cache of the workload. */
export const fitInMemory: Rule = {
  id: 'fit-in-memory',
  summary: 'weights, cache and working memory must fit into the devices',
  source: SOURCE,
  check(ctx) {
    const model = ctx.models.target;
    // How much a host has is known on the worker only.
    if (ctx.engine.id === 'endpoint' || model === undefined || ctx.hardware.kind === 'cpu') return [];
    const capacity = capacityBytes(ctx.hardware.facts);
    const weights = weightBytes(ctx, 'target');
    if (capacity === null) return [notChecked(this, `memory of ${ctx.hardware.id}`, { nodeId: ctx.hardware.nodeId })];
    if (weights === null || keepsPartOnHost(ctx)) return [];
    if (typeof weights === 'string') return [notChecked(this, weights, { nodeId: model.nodeId })];
    const { facts } = model;
    if (facts === null) return [];
    const draft = weightBytes(ctx, 'draft');
    const device = deviceOf(ctx, weights, typeof draft === 'string' ? null : draft, capacity);
    const least = Math.max(0, weights.least / device.spread - device.offloaded);
    if (least > capacity) return tooLarge(ctx, device, facts);
    return partOf(facts.linearAttention) !== null && facts.kvHeads === null ? [] : tooTight(ctx, device, facts);
  },
};
