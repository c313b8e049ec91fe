import type { AgentEventBody, ClaimedBlock } from '@/server/core/run/protocol';
import type { TrialOutcome } from '@/server/core/run/trial';
import type { Driver } from '../drivers/driver';
import type { BlockTools } from './block-tools';
import { EngineSession } from './engine-session';
import { cancelledOutcome, runTrial } from './run-trial';

export interface RunBlockOptions {
  block: ClaimedBlock;
  drivers: readonly Driver[];
  tools: BlockTools;
  emit(trialId: string, body: AgentEventBody): void;
  /** Called as each trial ends, before the next begins. */
  onOutcome?(trialId: string, outcome: TrialOutcome): void | Promise<void>;
  /** Aborts the block: the engine is stopped, the trial at hand and those after it end cancelled. */
  signal: AbortSignal;
}

/**
 * One pass over the arms in the block's order, back to back. Every trial ends with an outcome, whatever happens to
 * the others. No process of ours is left when this settles. Throws only for a block that contradicts itself.
 */
export async function runBlock(options: RunBlockOptions): Promise<Map<string, TrialOutcome>> {
  const { block, signal } = options;
  const session = new EngineSession(options.drivers);
  const outcomes = new Map<string, TrialOutcome>();
  try {
    for (const [index, { trialId, arm }] of block.trials.entries()) {
      const plan = block.spec.arms[arm];
      if (plan === undefined) throw new Error(`trial ${trialId} names arm ${arm} of ${block.spec.arms.length}`);
      const next = block.spec.arms[block.trials[index + 1]?.arm ?? -1];
      const outcome = signal.aborted
        ? cancelledOutcome()
        : await runTrial({
            block,
            plan,
            session,
            tools: options.tools,
            emit: (body) => options.emit(trialId, body),
            signal,
            keepEngine: next?.launchHash === plan.launchHash,
          });
      outcomes.set(trialId, outcome);
      await options.onOutcome?.(trialId, outcome);
    }
  } finally {
    await session.stop();
  }
  return outcomes;
}
