import { METHODS_WITH_DRAFT } from '../../plan/settings';
import type { Lowered, LoweringContext } from '../engine';
import { unsupported } from '../lower';

const SOURCE = 'vLLM @017e9f4448, vllm/config/speculative.py';

export const isSpeculating = (ctx: LoweringContext): boolean => {
  const method = ctx.value('speculation');
  return method !== null && method !== 'off';
};

/** A value that stands inside the JSON of --speculative-config. */
export const insideSpeculation = (ctx: LoweringContext): Lowered =>
  isSpeculating(ctx)
    ? { kind: 'carried', by: 'speculation' }
    : unsupported('it means nothing without speculation', SOURCE);

/** Whether the method takes weights at the port `draft`; MTP may, and has its own layers otherwise. */
export function takesDraft(ctx: LoweringContext): boolean {
  const method = ctx.value('speculation');
  return method !== null && (method === 'mtp' || METHODS_WITH_DRAFT.includes(method));
}

/** What is asked of the draft: keys of that JSON, where the method has a draft. */
export const insideDraft = (ctx: LoweringContext): Lowered =>
  isSpeculating(ctx) && !takesDraft(ctx)
    ? unsupported(`${ctx.value('speculation')} drafts without a model of its own`, SOURCE)
    : insideSpeculation(ctx);
