import type { LlamaContextSequence, TokenBias } from 'node-llama-cpp';
import type { Counters } from './counters';
import type { EngineOptions } from './flags';
import type { GenerateJob } from './job';
import { lookupDraft } from './prompt-lookup';
import { draftOptions } from './sampling';
import { draftAllowance } from './schedule';
import { asTokens, type Run, type Slot } from './slot';
import type { Distribution } from './speculation';
import type { Drafted } from './step';

type BusySlot = Slot & { run: Run };

const allowance = (target: LlamaContextSequence, run: Run, job: GenerateJob, k: number): number =>
  draftAllowance(k, job.maxTokens - run.generated, target.contextSize - 1 - target.nextTokenIndex);

/** Drafts by prompt lookup for every decoding stream. */
export function draftByLookup(
  busy: readonly BusySlot[],
  options: EngineOptions,
  counters: Counters,
): Map<number, Drafted> {
  const drafts = new Map<number, Drafted>();
  const lookup = { minTokens: options.lookupMinTokens, maxTokens: options.lookupMaxTokens };
  for (const slot of busy) {
    const { job, pending, tokens } = slot.run;
    if (job.kind !== 'generate' || pending.length !== 1) continue;
    const found = lookupDraft(tokens, allowance(slot.target, slot.run, job, options.draftTokens), lookup);
    if (found.tokens.length === 0) continue;
    counters.longestLookup = Math.max(counters.longestLookup, found.matched);
    counters.shortestLookup = Math.min(counters.shortestLookup ?? found.matched, found.matched);
    drafts.set(slot.id, { tokens: found.tokens, distributions: null, draftBase: null });
  }
  return drafts;
}

/** One round of the draft model: up to k tokens for every decoding stream, in k decodes that all streams share. */
export class DraftModelRound {
  private readonly drafts = new Map<number, Drafted>();

  constructor(
    private readonly k: number,
    private readonly chunkTokens: number,
    private readonly noEnd: TokenBias,
  ) {}

  async run(busy: readonly BusySlot[], plan: ReadonlyMap<number, number>): Promise<Map<number, Drafted>> {
    const limits = new Map<number, number>();
    const work: Promise<void>[] = [];
    for (const slot of busy) {
      if (!slot.draft || (plan.get(slot.id) ?? 0) === 0) continue;
      const limit = this.limitOf(slot);
      if (limit > 0) limits.set(slot.id, limit);
      else if (slot.run.draftPending.length > 1) work.push(this.catchUp(slot.draft, slot.run));
    }
    const longest = Math.max(0, ...limits.values());
    for (let i = 0; i < longest; i++) {
      for (const slot of busy) if (i < (limits.get(slot.id) ?? 0)) work.push(this.draftOne(slot, i));
      await Promise.all(work.splice(0));
    }
    await Promise.all(work);
    return this.drafts;
  }

  /** Tokens to draft for a stream; 0 while its prompt is being read, by the target or by the draft. */
  private limitOf({ target, run }: BusySlot): number {
    if (run.draftLost || run.job.kind !== 'generate') return 0;
    if (run.pending.length !== 1 || run.draftPending.length > this.chunkTokens) return 0;
    return allowance(target, run, run.job, this.k);
  }

  private async catchUp(draft: LlamaContextSequence, run: Run): Promise<void> {
    const tokens = run.draftPending.splice(0, Math.min(this.chunkTokens, run.draftPending.length - 1));
    await draft.controlledEvaluate(asTokens(tokens));
  }

  private async draftOne(slot: BusySlot, index: number): Promise<void> {
    const { draft, run } = slot;
    if (!draft || run.job.kind !== 'generate') return;
    const sofar = this.drafts.get(slot.id);
    const input = sofar ? sofar.tokens.slice(-1) : run.draftPending.splice(0);
    const sampled = run.job.sampling.temperature > 0;
    const options = draftOptions(run.job, run.generated + index, this.noEnd);
    const items = asTokens(input).map((token, i) =>
      i < input.length - 1
        ? token
        : ([token, { generateNext: { token: true, probabilities: sampled, options } }] as [typeof token, object]),
    );
    const next = (await draft.controlledEvaluate(items))[input.length - 1]?.next;
    if (next?.token == null) throw new Error('the draft model gave no token');
    const entry: Drafted = sofar ?? { tokens: [], distributions: sampled ? [] : null, draftBase: draft.nextTokenIndex };
    entry.tokens.push(next.token);
    if (next.probabilities) entry.distributions?.push(next.probabilities as Distribution);
    this.drafts.set(slot.id, entry);
  }
}
