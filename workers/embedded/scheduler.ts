import type { Counters } from './counters';
import { newCounters } from './counters';
import { DraftModelRound, draftByLookup } from './draft';
import type { EngineOptions } from './flags';
import type { Job } from './job';
import { type LoadedEngine, prefillTokensPerStep } from './load-engine';
import { mayEnqueue, pickSlot, planStep, shiftRange } from './schedule';
import { asTokens, cachedPrefix, type Run, type Slot, truncate } from './slot';
import { type Drafted, evaluateGenerate, evaluateScore, type StepContext } from './step';

/** Rows of a whole vocabulary are large: few tokens of a scored text in one step. */
const SCORE_TOKENS_PER_STEP = 16;
const RESET_DRAIN_MS = 5000;

/**
 * One loop over all sequences: every step evaluates the next token(s) of each stream, its drafts, and one chunk of
 * waiting prompts in a single decode. Separate loops a stream would leave one of them out of each batch.
 */
export class Scheduler {
  readonly counters: Counters = newCounters();
  private readonly queue: Job[] = [];
  private running = false;
  private stopped = false;
  private admitted = 0;
  private resets: { resolve: (done: boolean) => void; until: number }[] = [];
  /** Mean time that a request holds a slot, smoothed. */
  meanServiceMs = 500;

  constructor(
    private readonly engine: LoadedEngine,
    private readonly options: EngineOptions,
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  get busySlots(): number {
    return this.engine.slots.filter((s) => s.run).length;
  }

  /** Share of all sequences' context tokens that hold something. */
  get kvUsage(): number {
    const used = this.engine.slots.reduce((sum, s) => sum + s.target.nextTokenIndex, 0);
    return used / (this.engine.target.context.contextSize * this.engine.slots.length);
  }

  /** False: the queue is full. */
  submit(job: Job): boolean {
    const free = this.engine.slots.length - this.busySlots;
    if (this.stopped || !mayEnqueue(this.queue.length, free, this.options.queueLimit)) {
      this.counters.rejected++;
      return false;
    }
    this.counters.requests++;
    this.queue.push(job);
    this.counters.largestQueue = Math.max(this.counters.largestQueue, this.queue.length - free);
    void this.loop();
    return true;
  }

  /** Takes a request out of the queue, or out of its slot before the next step. */
  cancel(job: Job): void {
    if (job.cancelled) return;
    job.cancelled = true;
    this.counters.cancelled++;
    const at = this.queue.indexOf(job);
    if (at >= 0) this.queue.splice(at, 1);
  }

  /** Drops every KV cache once running requests have left; false if they did not leave in 5 s. */
  reset(): Promise<boolean> {
    return new Promise((resolve) => {
      this.resets.push({ resolve, until: performance.now() + RESET_DRAIN_MS });
      void this.loop();
    });
  }

  /** Ends after the running step; what waits or runs is dropped. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const job of this.queue.splice(0)) job.cancelled = true;
    for (const slot of this.engine.slots) if (slot.run) slot.run.job.cancelled = true;
    while (this.running) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  private async loop(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (;;) {
        this.dropCancelled();
        await this.answerResets();
        if (this.resets.length === 0) await this.admit();
        if (this.busySlots === 0 && this.queue.length === 0 && this.resets.length === 0) return;
        await this.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      this.running = false;
    }
  }

  private dropCancelled(): void {
    for (const slot of this.engine.slots) if (slot.run?.job.cancelled) this.release(slot);
  }

  private async answerResets(): Promise<void> {
    if (this.resets.length === 0) return;
    const idle = this.busySlots === 0;
    if (idle) await Promise.all(this.engine.slots.flatMap((s) => [s.target.clearHistory(), s.draft?.clearHistory()]));
    const now = performance.now();
    const answered = this.resets.filter((r) => idle || now > r.until);
    this.resets = this.resets.filter((r) => !answered.includes(r));
    for (const reset of answered) reset.resolve(idle);
  }

  private async admit(): Promise<void> {
    while (this.queue.length > 0) {
      const free = this.engine.slots.filter((s) => !s.run);
      const job = this.queue[0];
      if (!job || free.length === 0) return;
      const tokens = job.kind === 'generate' ? job.prompt : job.tokens;
      const reuse = job.kind === 'generate' && this.options.cachePrompt;
      const views = free.map((s) => ({
        id: s.id,
        cachedPrefixTokens: reuse ? cachedPrefix(s.target, tokens) : 0,
        lastUsed: s.lastUsed,
      }));
      const picked = pickSlot(views);
      const slot = free.find((s) => s.id === picked?.id);
      if (!picked || !slot) return;
      this.queue.shift();
      await this.start(slot, job, picked.cachedPrefixTokens);
    }
  }

  private async start(slot: Slot, job: Job, reuseTokens: number): Promise<void> {
    const tokens = job.kind === 'generate' ? job.prompt : job.tokens.slice(0, -1);
    const kept = await truncate(slot.target, reuseTokens);
    const reuse = job.kind === 'generate' && this.options.cachePrompt;
    const draftKept = slot.draft ? await truncate(slot.draft, reuse ? cachedPrefix(slot.draft, tokens) : 0) : 0;
    const run: Run = {
      job,
      pending: tokens.slice(kept),
      draftPending: job.kind === 'generate' ? tokens.slice(draftKept) : [],
      draftLost: job.kind === 'score',
      tokens: [...tokens],
      generated: 0,
      admittedAt: ++this.admitted,
      startedMs: performance.now(),
    };
    slot.run = run;
    if (job.kind !== 'generate') return;
    this.counters.prompt += tokens.length;
    this.counters.cached += kept;
    if (kept > 0) this.counters.prefixHits++;
    this.counters.lastSampling = job.sampling;
    job.onStart(kept);
  }

  private async step(): Promise<void> {
    const busy = this.engine.slots.filter((s): s is Slot & { run: Run } => s.run !== null);
    if (busy.length === 0) return;
    const started = performance.now();
    const plan = planStep(
      busy.map((s) => ({ id: s.id, pendingTokens: s.run.pending.length, admittedAt: s.run.admittedAt })),
      prefillTokensPerStep(this.options),
    );
    await Promise.all(busy.map((s) => this.makeRoom(s, plan.get(s.id) ?? 0)));
    const drafts = await this.draft(busy, plan);
    const context: StepContext = {
      noEnd: this.engine.target.noEnd,
      counters: this.counters,
      isEnd: (t) => this.isEnd(t),
    };
    const taken = busy.filter((s) => (plan.get(s.id) ?? 0) > 0);
    this.count(taken, plan);
    await Promise.all(taken.map((s) => this.evaluate(s, plan.get(s.id) ?? 0, drafts.get(s.id), context)));
    this.counters.busyMs += performance.now() - started;
  }

  private count(taken: readonly (Slot & { run: Run })[], plan: ReadonlyMap<number, number>): void {
    const prefill = taken.reduce((sum, s) => sum + (s.run.pending.length > 1 ? (plan.get(s.id) ?? 0) : 0), 0);
    this.counters.decodeSteps++;
    this.counters.stepSequences += taken.length;
    this.counters.largestBatch = Math.max(this.counters.largestBatch, taken.length);
    this.counters.largestPrefill = Math.max(this.counters.largestPrefill, prefill);
  }

  private async evaluate(
    slot: Slot & { run: Run },
    take: number,
    drafted: Drafted | undefined,
    context: StepContext,
  ): Promise<void> {
    const { run } = slot;
    try {
      const done =
        run.job.kind === 'score'
          ? await evaluateScore(slot.target, run, run.job, Math.min(take, SCORE_TOKENS_PER_STEP), context)
          : await evaluateGenerate(slot, run, run.job, take, drafted ?? null, context);
      if (done) this.release(slot);
    } catch (error) {
      this.counters.failed++;
      this.release(slot);
      await slot.target.clearHistory();
      await slot.draft?.clearHistory();
      run.job.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Drafts for every decoding stream; [] where prompt lookup finds nothing. */
  private async draft(
    busy: readonly (Slot & { run: Run })[],
    plan: ReadonlyMap<number, number>,
  ): Promise<Map<number, Drafted>> {
    if (this.options.speculation === 'prompt-lookup') return draftByLookup(busy, this.options, this.counters);
    const model = this.engine.draft;
    if (!model) return new Map();
    return new DraftModelRound(this.options.draftTokens, prefillTokensPerStep(this.options), model.noEnd).run(
      busy,
      plan,
    );
  }

  /** Context shift: only where it was asked for; without it admission saw to it that everything fits. */
  private async makeRoom(slot: Slot & { run: Run }, take: number): Promise<void> {
    if (!this.options.contextShift || slot.run.job.kind !== 'generate') return;
    const { target, draft, run } = slot;
    const range = shiftRange(target.nextTokenIndex, take, target.contextSize - 1, this.options.keepTokens);
    if (!range) return;
    this.counters.contextShifts++;
    this.counters.shiftedOut += range.end - range.start;
    this.counters.sinksKept = range.start;
    await target.eraseContextTokenRanges([range]);
    if (draft && draft.nextTokenIndex >= range.end) await draft.eraseContextTokenRanges([range]);
    else run.draftLost = true;
  }

  private isEnd(token: number): boolean {
    return this.engine.target.model.isEogToken(asTokens([token])[0]);
  }

  private release(slot: Slot): void {
    if (!slot.run) return;
    this.meanServiceMs += 0.2 * (performance.now() - slot.run.startedMs - this.meanServiceMs);
    slot.lastUsed = ++this.admitted;
    slot.run = null;
  }
}
