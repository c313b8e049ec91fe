import { attemptFolder, leftAttempts } from './attempt-folder';
import { startSender } from './sender';
import { openSpool, removeSpool } from './spool';
import type { WorkerApi } from './worker-api';

export interface SendLeftOptions {
  api: WorkerApi;
  serverUrl: string;
  workDir: string;
  signal: AbortSignal;
  say(message: string): void;
  batchIntervalMs?: number;
}

/**
 * Sends what earlier agents in this folder left behind: events, and outcomes of trials that had ended. What the server
 * no longer wants is dropped. Trials that were cut off end with the lease, and their block is run again.
 */
export async function sendLeft(options: SendLeftOptions): Promise<number> {
  const left = await leftAttempts(options.workDir, options.serverUrl);
  for (const { attemptId, workerId } of left) {
    if (options.signal.aborted) break;
    const folder = attemptFolder(options.workDir, attemptId);
    const spool = await openSpool(folder);
    const sending = new AbortController();
    const onStop = (): void => sending.abort();
    options.signal.addEventListener('abort', onStop, { once: true });
    const { batchIntervalMs, api } = options;
    let isRefused = false;
    const sender = startSender({
      ...{ api, spool, workerId, attemptId, signal: sending.signal, onTrouble: options.say },
      ...(batchIntervalMs === undefined ? {} : { batchIntervalMs }),
      onLost: () => {
        isRefused = true;
        sending.abort();
      },
    });
    const isDrained = await sender.drained();
    sending.abort();
    options.signal.removeEventListener('abort', onStop);
    await spool.close();
    options.say(
      `attempt ${attemptId} of an earlier agent: ${isDrained ? 'the rest was sent' : 'the server wants no more of it'}`,
    );
    if (isDrained || isRefused) await removeSpool(folder);
  }
  return left.length;
}
