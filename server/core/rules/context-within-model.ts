import { fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule, RuleContext } from './rule';

/** Raw arguments and variables by which an engine takes more than the model was made for. */
const OVERRIDES = ['--hf-overrides', '--json-model-override-args', '--rope-scaling', '--override-kv'];
const PERMITS = ['VLLM_ALLOW_LONG_MAX_MODEL_LEN', 'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN'];

const isOverridden = ({ component }: RuleContext): boolean =>
  component.args.some(({ flag }) => OVERRIDES.some((name) => flag === name || flag.startsWith(`${name}=`))) ||
  PERMITS.some((name) => component.env[name] === '1');

export const contextWithinModel: Rule = {
  id: 'context-within-model',
  summary: 'a context beyond the length that the model was made for',
  source:
    'vLLM vllm/config/model.py:2461, SGLang python/sglang/srt/configs/model_config.py (refused); llama.cpp src/llama-context.cpp:325 (quality falls)',
  check(ctx) {
    const asked = ctx.asked('contextTokensPerSequence');
    const model = ctx.models.target;
    if (asked === null || model === undefined || ctx.engine.id === 'endpoint') return [];
    const place = placeOf(ctx, 'contextTokensPerSequence');
    const limit = model.facts?.maxTokens ?? null;
    if (limit === null) return [notChecked(this, `longest sequence of ${model.id}`, { nodeId: model.nodeId })];
    if (asked.value <= limit || isOverridden(ctx)) return [];
    const refused = ctx.engine.id === 'vllm' || ctx.engine.id === 'sglang';
    const message = `${model.id} was made for ${limit} tokens; ${asked.value} ${refused ? `are refused by ${ctx.engine.title}` : 'run, but what lies beyond is guesswork'}.`;
    return [
      judged(this, refused ? 'error' : 'warning', message, {
        ...place,
        fix: fixParam(place, limit, `Set the context to ${limit}`),
      }),
    ];
  },
};
