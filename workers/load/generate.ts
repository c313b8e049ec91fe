import { setMaxListeners } from 'node:events';
import type { RequestRecord } from '@/server/core/metrics/records';
import { blockSeed } from '@/server/core/run/block-order';
import { scheduleArrivals } from '@/server/core/workload/arrivals/schedule';
import type { PromptSize } from '@/server/core/workload/prompts';
import type { Client } from './client';
import type { LoadJob } from './load-types';
import { createPromptSource } from './prompt-source';
import { isStable, stableOver } from './warm-up';

type Phase = RequestRecord['phase'];

/** What the phases of one run tell while they happen. */
export interface GenerateHooks {
  onPhase(phase: 'warming' | 'measuring' | 'draining', atMs: number): void;
  onSent(): void;
  onChunk(chunks: number): void;
  onEnded(record: RequestRecord): void;
}

export interface Generated {
  records: RequestRecord[];
  window: { startMs: number; endMs: number };
  scheduled: number;
  sent: number;
  warmupRequests: number;
  warmupS: number;
  warmupStable: boolean;
}

const SHED_PAUSE_MS = 50;
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });

/** Sends the load of one point through its phases: warm-up until stable, the window, and load on while it drains. */
export async function generate(
  job: LoadJob,
  size: PromptSize,
  client: Client,
  now: () => number,
  hooks: GenerateHooks,
  signal: AbortSignal,
): Promise<Generated> {
  const run = new Run(job, size, client, now, hooks, signal);
  return run.execute();
}

class Run {
  private readonly records: RequestRecord[] = [];
  private readonly counts: Record<Phase, number> = { warmup: 0, measure: 0, drain: 0 };
  private readonly prompts;
  private readonly stop = new AbortController();
  private phase: Phase = 'warmup';
  private phaseStartMs = 0;
  private measuredOpen = 0;
  private scheduled = 0;
  private isScheduleSent: boolean;
  private readonly seed: number;
  private phaseEnd = new AbortController();
  private readonly checks = new Set<() => void>();

  constructor(
    private readonly job: LoadJob,
    size: PromptSize,
    private readonly client: Client,
    private readonly now: () => number,
    private readonly hooks: GenerateHooks,
    private readonly signal: AbortSignal,
  ) {
    this.isScheduleSent = job.load.mode === 'closed';
    this.seed = blockSeed(job.seed, job.blockIndex);
    const source = (phase: Phase) => createPromptSource(this.seed, `${job.loadIndex}-${phase}`, size);
    this.prompts = { warmup: source('warmup'), measure: source('measure'), drain: source('drain') };
    setMaxListeners(0, this.stop.signal);
    const abort = (): void => {
      this.stop.abort();
      this.phaseEnd.abort();
      this.changed();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  }

  async execute(): Promise<Generated> {
    const startMs = this.begin('warmup');
    this.hooks.onPhase('warming', startMs);
    const sending = this.job.load.mode === 'closed' ? this.closedLoop(this.job.load.concurrency) : this.openLoop();
    const warmupStable = await this.warmUp(startMs);
    const window = { startMs: this.begin('measure'), endMs: 0 };
    this.hooks.onPhase('measuring', window.startMs);
    await this.measure(window.startMs);
    const windowEndMs = this.begin('drain');
    this.hooks.onPhase('draining', windowEndMs);
    await this.until(
      () => this.measuredOpen === 0 && this.isScheduleSent,
      this.job.workload.requestTimeoutS * 1000 + 1000,
    );
    window.endMs = this.job.maxRequests === null ? windowEndMs : this.lastMeasuredEnd(windowEndMs);
    this.stop.abort();
    this.phaseEnd.abort();
    this.changed();
    await sending;
    return {
      records: this.records.sort((a, b) => a.sentMs - b.sentMs),
      window,
      scheduled: this.job.load.mode === 'closed' ? this.counts.measure : this.scheduled,
      sent: this.counts.measure,
      warmupRequests: this.counts.warmup,
      warmupS: (window.startMs - startMs) / 1000,
      warmupStable,
    };
  }

  /** Ends when medians are stable or the workload's bound is reached. */
  private async warmUp(startMs: number): Promise<boolean> {
    const { load, workload } = this.job;
    const size = stableOver(load.mode === 'closed' ? load.concurrency : 1);
    const stable = (): boolean => {
      const e2e = this.records.filter((r) => r.outcome === 'ok').map((r) => r.endMs - r.sentMs);
      return isStable(e2e, size);
    };
    await this.until(stable, startMs + workload.warmupS * 1000 - this.now());
    return stable();
  }

  private async measure(startMs: number): Promise<void> {
    const { maxRequests, workload } = this.job;
    if (maxRequests === null) await wait(startMs + workload.windowS * 1000 - this.now(), this.stop.signal);
    else await this.until(() => this.counts.measure >= maxRequests, null);
  }

  private lastMeasuredEnd(fallbackMs: number): number {
    const ends = this.records.filter((r) => r.phase === 'measure').map((r) => r.endMs);
    return ends.reduce((last, end) => Math.max(last, end), fallbackMs);
  }

  /** Waits until a condition holds that changes as phases begin and requests are sent and end; null: without a bound. */
  private until(condition: () => boolean, boundMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.checks.delete(check);
        resolve();
      };
      const check = (): void => {
        if (condition() || this.stop.signal.aborted) end();
      };
      const timer = boundMs === null ? undefined : setTimeout(end, Math.max(0, boundMs));
      this.checks.add(check);
      check();
    });
  }

  private changed(): void {
    for (const check of [...this.checks]) check();
  }

  /** Starts a phase now and says when that was: schedules count from it. */
  private begin(phase: Phase): number {
    this.phase = phase;
    this.phaseStartMs = this.now();
    this.phaseEnd.abort();
    this.phaseEnd = new AbortController();
    this.changed();
    return this.phaseStartMs;
  }

  private async send(scheduledMs: number, phase: Phase): Promise<RequestRecord> {
    const { workload } = this.job;
    const spec = {
      index: this.counts[phase]++,
      phase,
      scheduledMs,
      prompt: this.prompts[phase].take(),
      maxTokens: workload.outputTokens,
    };
    if (phase === 'measure') this.measuredOpen++;
    this.hooks.onSent();
    this.changed();
    const record = await this.client.send(spec, this.hooks.onChunk, this.stop.signal);
    this.records.push(record);
    if (phase === 'measure') this.measuredOpen--;
    this.hooks.onEnded(record);
    this.changed();
    return record;
  }

  /** N clients; each sends when its last answer ended. They start spread over a quarter of the warm-up. */
  private async closedLoop(concurrency: number): Promise<void> {
    const spreadMs = Math.min(1000, this.job.workload.warmupS * 250);
    const one = async (client: number): Promise<void> => {
      await wait((spreadMs * client) / concurrency, this.stop.signal);
      while (!this.stop.signal.aborted) {
        const record = await this.send(this.now(), this.closedPhase());
        // A refusal comes at once: asking again without a pause would only measure refusals.
        if (record.outcome !== 'ok') await wait(SHED_PAUSE_MS, this.stop.signal);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, (_, client) => one(client)));
  }

  /** A closed loop asked for a number of requests goes on as drain once they are sent. */
  private closedPhase(): Phase {
    const { maxRequests } = this.job;
    return this.phase === 'measure' && maxRequests !== null && this.counts.measure >= maxRequests
      ? 'drain'
      : this.phase;
  }

  /** Arrivals of each phase by a schedule of its own, computed before the first is sent. */
  private async openLoop(): Promise<void> {
    const { load, loadIndex, maxRequests, workload } = this.job;
    const offsets = (phase: Phase, seconds: number): number[] =>
      scheduleArrivals(load, seconds * 1000, this.seed, loadIndex, phase) ?? [];
    const rate = load.mode === 'closed' ? 1 : load.ratePerS;
    const measureS = maxRequests === null ? workload.windowS : (maxRequests / rate) * 2 + 10;
    const warmup = offsets('warmup', workload.warmupS);
    const measure = offsets('measure', measureS).slice(0, maxRequests ?? undefined);
    const drain = offsets('drain', workload.requestTimeoutS);
    this.scheduled = measure.length;
    const open = [
      ...(await this.sendScheduled('warmup', warmup)),
      ...(await this.sendScheduled('measure', measure)),
      ...(await this.sendScheduled('drain', drain)),
    ];
    await Promise.all(open);
  }

  /** Waits for the phase and sends its arrivals when they are due; gives their answers to wait for. */
  private async sendScheduled(phase: Phase, offsets: readonly number[]): Promise<Promise<unknown>[]> {
    await this.until(() => this.phase === phase, null);
    const startMs = this.phaseStartMs;
    const open: Promise<unknown>[] = [];
    for (const offset of offsets) {
      const dueMs = Math.round((startMs + offset) * 1000) / 1000;
      await this.untilDue(dueMs);
      if (this.stop.signal.aborted) break;
      // What was due when the window ended is sent all the same, late and counted so.
      if (this.phase !== phase && (phase === 'warmup' || this.now() < dueMs)) break;
      open.push(this.send(dueMs, phase));
    }
    if (phase === 'measure') this.isScheduleSent = true;
    this.changed();
    return open;
  }

  /** Timers count whole milliseconds and may fire a fraction early: nothing leaves before its time. */
  private async untilDue(dueMs: number): Promise<void> {
    await wait(dueMs - this.now(), this.phaseEnd.signal);
    while (this.now() < dueMs && !this.phaseEnd.signal.aborted) await new Promise(setImmediate);
  }
}
