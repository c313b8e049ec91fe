import type { SettingValues } from '../../plan/settings';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, caution, configEntries, several, stepBudget, unsupported } from '../lower';
import { isAtLeast } from '../version';

const SOURCE = 'TensorRT-LLM @00043967, tensorrt_llm/llmapi/llm_args.py';
const VANILLA = 'TensorRT-LLM @026422ca, tensorrt_llm/_torch/attention_backend/vanilla.py';
const MAPPING = 'TensorRT-LLM, tensorrt_llm/mapping.py';

const OWN_KERNELS =
  'the PyTorch backend has no choice of FlashAttention: attn_backend takes TRTLLM (its own fused kernels), FLASHINFER or VANILLA';

export const FLASH_REFUSAL = { unsupported: OWN_KERNELS, source: `${SOURCE}, attn_backend` };

export function lowerTensorrtAttention(backend: SettingValues['attentionBackend']): Lowered {
  switch (backend) {
    case 'trtllm':
      return configEntries({ attn_backend: 'TRTLLM' });
    case 'flashinfer':
      return configEntries({ attn_backend: 'FLASHINFER' });
    case 'sdpa':
      return several(
        configEntries({ attn_backend: 'VANILLA' }, "PyTorch's scaled_dot_product_attention"),
        caution('a reference for debugging: one sequence after the other, each in its first cache block only', VANILLA),
      );
    default:
      return unsupported(`${OWN_KERNELS}; there is no ${backend}`, `${SOURCE}, attn_backend`);
  }
}

export const lowerTensorrtCompile = (state: 'on' | 'off'): Lowered =>
  state === 'on'
    ? configEntries({ 'torch_compile_config.enable_fullgraph': true })
    : configEntries({ torch_compile_config: null });

/** Largest batch captured where nobody says; `CudaGraphConfig` of the source read. */
const GRAPH_BATCH = 128;

export function lowerTensorrtGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') return configEntries({ cuda_graph_config: null }, 'null switches graphs off');
  return ctx.value('cudaGraphMaxBatch') === null
    ? configEntries({ 'cuda_graph_config.max_batch_size': GRAPH_BATCH }, "the engine's own bound")
    : { kind: 'carried', by: 'cudaGraphMaxBatch' };
}

export function lowerTensorrtGraphBatch(sequences: number, ctx: LoweringContext): Lowered {
  return ctx.value('cudaGraphs') === 'off'
    ? unsupported('no batch is captured where CUDA graphs are off', SOURCE)
    : configEntries(
        { 'cuda_graph_config.max_batch_size': sequences },
        'without padding a graph serves a batch of exactly a captured size',
      );
}

/** Beyond the fixed fusions of its kernels the engine fuses the all-reduce with what stands around it. */
export function lowerTensorrtFusion(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if ((ctx.value('tensorParallel') ?? 1) === 1) {
    return unsupported(
      'the only fusion that can be chosen is that of the all-reduce, and one rank has none; the others are fixed in the kernels',
      `${SOURCE}, allreduce_strategy`,
    );
  }
  return configEntries(
    { allreduce_strategy: state === 'on' ? 'AUTO' : 'NCCL' },
    state === 'on' ? 'kernels that fuse all-reduce, residual and norm where one fits' : 'plain NCCL',
  );
}

export function lowerTensorrtStep(tokens: number, ctx: LoweringContext): Lowered {
  const budget = stepBudget(tokens, ctx);
  const chunked = ctx.value('chunkedPrefill') === 'on';
  const note = chunked ? budget.note : `${budget.note}; without chunked prefill a longer prompt is refused`;
  return arg('--max_num_tokens', budget.tokens, note);
}

export function lowerTensorrtPolicy(policy: SettingValues['schedulingPolicy'], ctx: LoweringContext): Lowered {
  if (policy === 'first-come') return already;
  if (!isAtLeast(ctx.version, '1.3')) {
    const what = policy === 'priority' ? 'the priority queue' : 'scheduling by cached prefixes';
    return unsupported(`${what} came after 1.2; this is ${ctx.version}`, `${SOURCE}, SchedulerConfig`, 'vllm');
  }
  return policy === 'priority'
    ? configEntries({ 'scheduler_config.waiting_queue_policy': 'priority' }, 'waiting requests only; ties first come')
    : configEntries({ 'scheduler_config.enable_prefix_aware_scheduling': true });
}

export function lowerTensorrtPriority(highFirst: boolean, ctx: LoweringContext): Lowered {
  if (ctx.value('schedulingPolicy') !== 'priority') {
    return unsupported('an order of priorities means nothing without the priority policy', SOURCE);
  }
  return highFirst
    ? { kind: 'carried', by: 'schedulingPolicy' }
    : unsupported('a larger priority always goes first', `${SOURCE}, WaitingQueuePolicy.PRIORITY`);
}

export function lowerTensorrtPreemption(kind: SettingValues['preemption']): Lowered {
  switch (kind) {
    case 'recompute':
      return configEntries(
        { 'scheduler_config.capacity_scheduler_policy': 'MAX_UTILIZATION' },
        'paused sequences are computed again',
      );
    case 'never':
      return configEntries({ 'scheduler_config.capacity_scheduler_policy': 'GUARANTEED_NO_EVICT' });
    case 'swap':
      return unsupported(
        'running sequences are paused and recomputed, not swapped out',
        `${SOURCE}, CapacitySchedulerPolicy`,
      );
  }
}

export function lowerTensorrtStructured(backend: SettingValues['structuredOutputBackend']): Lowered {
  if (backend === 'xgrammar') return configEntries({ guided_decoding_backend: 'xgrammar' });
  if (backend === 'guidance') return configEntries({ guided_decoding_backend: 'llguidance' });
  return unsupported(
    `there is no ${backend} here; it takes xgrammar and llguidance`,
    `${SOURCE}, guided_decoding_backend`,
  );
}

/** Ranks: TP × PP × CP, all on the devices of the plan. */
export function lowerTensorrtRanks(flag: '--tp_size' | '--pp_size', ranks: number, ctx: LoweringContext): Lowered {
  const size = (name: 'tensorParallel' | 'pipelineParallel' | 'contextParallel') => ctx.value(name) ?? 1;
  const own = flag === '--tp_size' ? size('pipelineParallel') : size('tensorParallel');
  const world = ranks * own * size('contextParallel');
  return world > ctx.hardware.count
    ? unsupported(
        `TP × PP × CP = ${world} ranks need as many devices; there are ${ctx.hardware.count}`,
        `${SOURCE}, world size`,
      )
    : arg(flag, ranks);
}

export function lowerTensorrtExperts(ranks: number, ctx: LoweringContext): Lowered {
  const tensor = ctx.value('tensorParallel') ?? 1;
  return tensor % ranks === 0
    ? arg('--ep_size', ranks, `of ${tensor} tensor-parallel ranks`)
    : unsupported(`the expert degree must divide the tensor-parallel one: ${ranks} does not divide ${tensor}`, MAPPING);
}

export function lowerTensorrtAttentionData(ranks: number, ctx: LoweringContext): Lowered {
  const tensor = ctx.value('tensorParallel') ?? 1;
  if (ranks === 1) return configEntries({ enable_attention_dp: false });
  return ranks === tensor
    ? configEntries({ enable_attention_dp: true }, `on all ${tensor} tensor-parallel ranks`)
    : unsupported(
        `attention data parallelism takes all tensor-parallel ranks: ${tensor} here, not ${ranks}`,
        `${SOURCE}, enable_attention_dp`,
      );
}

export const lowerTensorrtContextParallel = (ranks: number): Lowered =>
  ranks === 1
    ? already
    : several(
        configEntries({ context_parallel_size: ranks, 'cp_config.cp_type': 'HELIX' }),
        caution(
          'Helix spreads the cache of long sequences in decode, meant for the generation side of disaggregated serving',
          'TensorRT-LLM @04c8822c, docs/source/features/helix.md',
        ),
      );

export function lowerTensorrtAdapters(adapters: SettingValues['loraAdapters']): Lowered {
  return several(
    configEntries({ 'lora_config.lora_dir': adapters.map(({ source }) => source) }, 'folders on the worker'),
    caution(
      `a request names its adapter by the field lora_request (lora_name, lora_int_id, lora_path), not by model: ${adapters.map(({ name }) => name).join(', ')}`,
      'TensorRT-LLM @050db34b, docs/source/features/lora.md',
    ),
  );
}

export const lowerTensorrtActiveAdapters = (count: number): Lowered =>
  configEntries(
    { 'lora_config.max_loras': count, 'lora_config.max_cpu_loras': count },
    'on the device and in host memory',
  );

/** Iterations 100 to 150, as in the guide: past warm-up, short enough to open. */
export const lowerTensorrtProfiler = (folder: string): Lowered => ({
  kind: 'env',
  env: { TLLM_TORCH_PROFILE_TRACE: `${folder.replace(/\/+$/, '')}/trace.json`, TLLM_PROFILE_START_STOP: '100-150' },
});

/** `--max_beam_width` bounds what a request may ask for; the request asks. */
export const lowerTensorrtBeams = (beams: number): Lowered =>
  beams === 1
    ? already
    : several(arg('--max_beam_width', beams), {
        kind: 'request',
        fields: { use_beam_search: true, best_of: beams, n: 1 },
      });
