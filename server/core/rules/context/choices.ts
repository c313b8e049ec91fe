import type { SpeculationMethod } from '../../plan/settings';
import type { RuleContext } from '../rule';
import type { Fields } from './arguments';

/** Techniques as the constraints write them. */
const METHODS: Readonly<Record<SpeculationMethod, string | null>> = {
  off: null,
  'draft-model': 'draft_model',
  'prompt-lookup': 'ngram',
  suffix: 'suffix',
  eagle: 'eagle',
  eagle3: 'eagle3',
  mtp: 'mtp',
  medusa: 'medusa',
  'mlp-speculator': 'mlp_speculator',
  dflash: 'dflash',
};

/** Longest request of any workload; null without workloads. */
const longest = (ctx: RuleContext, field: 'inputTokens' | 'outputTokens'): number | null =>
  ctx.workloads.length === 0 ? null : Math.max(...ctx.workloads.map((workload) => workload[field]));

/** What the plan wants, whatever the engine calls it. Null: nobody asked for it. */
export function wishes(ctx: RuleContext): Fields {
  const { gateway, scaling } = ctx.policies;
  const scalesOnMetrics = scaling !== null && scaling.metric !== null;
  const wantsAuth = (gateway?.apiKeySecrets.length ?? 0) > 0 || ctx.asked('apiKeySecret') !== null;
  return {
    spec: METHODS[ctx.asked('speculation')?.value ?? 'off'],
    kv_eviction: ctx.asked('sinkTokens') === null ? null : 'streaming_llm',
    uses_priority: ctx.asked('schedulingPolicy')?.value === 'priority' ? true : null,
    needs_metrics: scalesOnMetrics || ctx.asked('metricsEndpoint')?.value === 'on' ? true : null,
    autoscale_on_metrics: scalesOnMetrics ? true : null,
    needs_auth: wantsAuth ? true : null,
    rate_limit: (gateway?.rateLimits.length ?? 0) > 0 ? true : null,
    max_prompt_tokens: longest(ctx, 'inputTokens'),
    max_output_tokens: longest(ctx, 'outputTokens'),
    tensor_parallel: ctx.asked('tensorParallel')?.value ?? null,
    pipeline_parallel: ctx.asked('pipelineParallel')?.value ?? null,
    expert_parallel: ctx.asked('expertParallel')?.value ?? null,
    quantize_at_load: ctx.checkpoints.some(({ scope, source }) => scope === 'target' && source === 'online')
      ? true
      : null,
  };
}

export function requestFields(ctx: RuleContext): Fields {
  return {
    min_p: ctx.asked('minP')?.value ?? null,
    use_beam_search: (ctx.asked('beams')?.value ?? 1) > 1,
  };
}

const QUANTIZE_TYPES: Readonly<Record<string, string>> = { bfloat16: 'BF16', float16: 'F16', float32: 'F32' };

/** The llama-quantize step that makes the target's file. */
export function quantizeFields(ctx: RuleContext): Fields {
  const recipe = ctx.checkpoints.find(({ scope }) => scope === 'target')?.recipe;
  if (recipe?.tool !== 'llama-quantize') return {};
  const from = recipe.fromFormat.split(':')[1] ?? null;
  const imatrix = recipe.options?.imatrix;
  return {
    type: recipe.toType,
    source_type: from === null ? null : (QUANTIZE_TYPES[from] ?? from),
    imatrix: imatrix === undefined ? null : String(imatrix),
  };
}

export const manifestFields = ({ policies }: RuleContext): Fields => ({
  gateway: policies.gateway === null ? null : 'gateway',
});
