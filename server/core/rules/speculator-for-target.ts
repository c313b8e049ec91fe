import { MODELS } from '../facts/models';
import { judged, notChecked } from './judge';
import type { Rule } from './rule';

/** Methods whose draft reads hidden states of one target only. */
const TRAINED: readonly string[] = ['eagle', 'eagle3', 'medusa', 'mlp-speculator', 'dflash'];

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const speculatorForTarget: Rule = {
  id: 'speculator-for-target',
  summary: 'EAGLE, Medusa and DFlash heads work with the model that they were trained on',
  source: 'SafeAILab/EAGLE README.md @cb7e0841; vLLM docs/features/speculative_decoding',
  check(ctx) {
    const method = ctx.value('speculation') ?? 'off';
    const { target, draft } = ctx.models;
    if (!TRAINED.includes(method) || target === undefined || draft === undefined) return [];
    const repo = ctx.checkpoints.find(({ scope }) => scope === 'draft')?.repo ?? draft.id;
    const place = { nodeId: draft.nodeId, field: 'model' };
    const known = target.facts?.speculators ?? [];
    if (known.some((name) => same(name, repo))) return [];
    const other = MODELS.find(({ speculators }) => speculators.some((name) => same(name, repo)));
    const { facts } = target;
    // Of the same shape it may be a relative of that model; how well the head drafts is then to be measured.
    const fits = facts === null || (facts.hidden === other?.hidden && facts.vocab === other.vocab);
    if (other !== undefined && !fits) {
      const [instead] = known;
      const edits = [{ op: 'set-param' as const, ...place, value: instead }];
      const message = `${repo} was trained for ${other.id}; with ${target.id} it reads the wrong hidden states.`;
      return [
        judged(this, 'error', message, {
          ...place,
          fix: instead === undefined ? null : { label: `Use ${instead}`, edits },
        }),
      ];
    }
    return [notChecked(this, `model that ${repo} was trained for`, place)];
  },
};
