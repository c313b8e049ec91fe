/** Lines that a trial may send; the tail stays with the engine and comes with a failure's cause. */
const MAX_LINES = 600;
const MAX_BATCH_LINES = 100;
const BATCH_MS = 1000;

export interface LogBatch {
  push(line: string): void;
  flush(): void;
}

/** Gathers log lines into one event a second, or a hundred lines; beyond 600 lines a trial's log is cut. */
export function createLogBatch(emit: (lines: string[]) => void): LogBatch {
  let waiting: string[] = [];
  let sent = 0;
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    emit(waiting);
    waiting = [];
  };
  return {
    push: (line) => {
      if (sent > MAX_LINES) return;
      sent++;
      waiting.push(sent > MAX_LINES ? '… the rest of this log is not sent' : line);
      if (waiting.length >= MAX_BATCH_LINES) flush();
      timer ??= setTimeout(flush, BATCH_MS);
    },
    flush,
  };
}
