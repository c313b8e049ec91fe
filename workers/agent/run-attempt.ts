import { outcomeDigest } from '@/server/core/run/outcome-digest';
import type { ClaimedBlock } from '@/server/core/run/protocol';
import type { Driver } from '../drivers/driver';
import { saveAttempt } from './attempt-folder';
import type { BlockTools } from './block-tools';
import { keepLease } from './heartbeats';
import { createLease } from './lease';
import { runBlock } from './run-block';
import { type Sender, startSender } from './sender';
import { openSpool, removeSpool, type Spool } from './spool';
import type { WorkerApi } from './worker-api';

export interface AttemptOptions {
  api: WorkerApi;
  serverUrl: string;
  workerId: string;
  workDir: string;
  block: ClaimedBlock;
  /** Monotonic ms when the claim was sent: the lease counts from there. */
  claimedAtMs: number;
  heartbeatMs: number;
  drivers: readonly Driver[];
  tools: BlockTools;
  /** The agent is asked to end: the block ends cancelled and its outcome is left to the lease. */
  stop: AbortSignal;
  say(message: string): void;
  batchIntervalMs?: number;
}

/** Time to send last events when the agent is asked to end. */
const LAST_WORDS_MS = 3000;

export type AttemptEnd = 'finished' | 'cancelled' | 'lost' | 'stopped';

/**
 * Runs a claimed block and sees its events and outcomes to the server. When the attempt is lost the engine is stopped
 * and the result dropped; what a stopped agent could not send stays in the spool for the next one.
 */
export async function runAttempt(options: AttemptOptions): Promise<AttemptEnd> {
  const { workerId, workDir, serverUrl, block } = options;
  const { attemptId, experimentId } = block;
  const folder = await saveAttempt(workDir, { serverUrl, workerId, attemptId, experimentId });
  const attempt = new Attempt(options, await openSpool(folder));
  const isSettled = await attempt.run();
  if (isSettled) await removeSpool(folder);
  return attempt.end;
}

class Attempt {
  end: AttemptEnd = 'finished';
  private readonly running = new AbortController();
  private readonly sending = new AbortController();
  private readonly sender: Sender;

  constructor(
    private readonly options: AttemptOptions,
    private readonly spool: Spool,
  ) {
    const { api, workerId, batchIntervalMs } = options;
    this.sender = startSender({
      ...{ api, spool, workerId, attemptId: options.block.attemptId, signal: this.sending.signal },
      ...(batchIntervalMs === undefined ? {} : { batchIntervalMs }),
      onLost: (reason) => this.lose(reason),
      onTrouble: options.say,
    });
  }

  /** True where nothing of this attempt is left to send, now or later. */
  async run(): Promise<boolean> {
    const { stop } = this.options;
    const onStop = (): void => {
      this.breakOff('stopped', 'the agent ends');
      setTimeout(() => this.sending.abort(), LAST_WORDS_MS).unref();
    };
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });
    const keeping = this.keepLease();
    let isDrained = false;
    try {
      await this.runBlock();
      isDrained = await this.sender.drained();
    } finally {
      this.sending.abort();
      stop.removeEventListener('abort', onStop);
      await keeping;
      await this.spool.flush();
      await this.spool.close();
    }
    return isDrained || this.end === 'lost';
  }

  private runBlock(): Promise<unknown> {
    const { block, drivers, tools, claimedAtMs } = this.options;
    return runBlock({
      ...{ block, drivers, tools, signal: this.running.signal },
      emit: (trialId, body) => {
        this.spool.add(trialId, performance.now() - claimedAtMs, body);
        this.sender.wake();
      },
      onOutcome: async (trialId, outcome) => {
        if (this.end === 'lost' || this.end === 'stopped') return;
        await this.spool.flush();
        const digest = outcomeDigest(outcome);
        await this.spool.saveFinish({ trialId, lastAgentSeq: this.spool.lastSeq(), digest, outcome });
        this.sender.wake();
      },
    });
  }

  private keepLease(): Promise<void> {
    const { api, workerId, block, claimedAtMs, heartbeatMs } = this.options;
    return keepLease({
      ...{ api, workerId, attemptId: block.attemptId, heartbeatMs, signal: this.sending.signal },
      lease: createLease(claimedAtMs, block.leaseMs),
      onLost: (reason) => this.lose(reason),
      onCancel: () => this.breakOff('cancelled', 'somebody cancelled it'),
    });
  }

  /** Nothing that this attempt says counts any more: stop the engine, send no more. */
  private lose(reason: string): void {
    this.breakOff('lost', reason);
    this.end = 'lost';
    this.sending.abort();
  }

  private breakOff(how: AttemptEnd, reason: string): void {
    if (this.end !== 'finished') return;
    this.end = how;
    this.options.say(`attempt ${this.options.block.attemptId}: ${how}: ${reason}`);
    this.running.abort(new Error(reason));
  }
}
