import { judged, notChecked } from './judge';
import type { Rule } from './rule';

export const draftTokenizer: Rule = {
  id: 'draft-tokenizer',
  summary: 'draft and target must share their tokenizer',
  source: 'llama.cpp common/speculative.cpp:29-125; vLLM vllm/config/speculative.py:1412',
  check(ctx) {
    if (ctx.value('speculation') !== 'draft-model') return [];
    const { target, draft } = ctx.models;
    if (target === undefined || draft === undefined) return [];
    const unknown = [target, draft].find((model) => (model.facts?.tokenizerFamily ?? null) === null);
    if (unknown !== undefined) return [notChecked(this, `tokenizer of ${unknown.id}`, { nodeId: unknown.nodeId })];
    if (target.facts?.tokenizerFamily === draft.facts?.tokenizerFamily) return [];
    const known = target.facts?.draftModels[0];
    const message = `${draft.id} (tokenizer ${draft.facts?.tokenizerFamily}) cannot draft for ${target.id} (${target.facts?.tokenizerFamily}): drafted tokens would mean something else.`;
    const edits = [{ op: 'set-param' as const, nodeId: draft.nodeId, field: 'model', value: known }];
    return [
      judged(this, 'error', message, {
        nodeId: draft.nodeId,
        field: 'model',
        fix: known === undefined ? null : { label: `Use ${known}`, edits },
      }),
    ];
  },
};
