import { blockSeed } from '@/server/core/run/block-order';
import { buildPrompt, sharedPrefix } from '@/server/core/workload/prompts';
import { createClient } from './client';
import { type ClientHealth, watchClient } from './client-health';
import { generate } from './generate';
import type { LoadJob } from './load-types';
import type { FromGenerator, ToGenerator } from './messages';
import { createSecondCounter } from './seconds';
import { sizePrompts } from './size-prompts';

/** Output tokens of the sample on which the server's count is checked. */
const CHECKED_TOKENS = 16;

/** The load generator's process: one job, then it ends. Its parent goes away: it ends too. */
const tell = (message: FromGenerator): void => {
  if (process.connected) process.send?.(message);
};
const abort = new AbortController();

/** One row a second, counted from the measured window's start; warm-up counts up to it from the bound given. */
function emitSeconds(counter: ReturnType<typeof createSecondCounter>, now: () => number, warmupS: number) {
  let zeroMs = now() + warmupS * 1000;
  let next = -Math.ceil(warmupS);
  let timer: NodeJS.Timeout;
  const emit = (): void => tell({ kind: 'second', row: counter.row(next++) });
  const schedule = (): void => {
    timer = setTimeout(tick, zeroMs + (next + 1) * 1000 - now());
  };
  const tick = (): void => {
    emit();
    schedule();
  };
  schedule();
  return {
    restart(atMs: number) {
      clearTimeout(timer);
      counter.row(-1);
      zeroMs = atMs;
      next = 0;
      schedule();
    },
    /** The last second is told even when the window ends a moment before its timer. */
    stop() {
      clearTimeout(timer);
      if (now() - zeroMs >= (next + 0.9) * 1000) emit();
    },
  };
}

async function run(job: LoadJob): Promise<void> {
  const zeroNs = process.hrtime.bigint();
  const zero = performance.now();
  const now = (): number => Math.round((performance.now() - zero) * 1000) / 1000;
  const client = createClient(job, now);
  tell({ kind: 'phase', phase: 'sizing' });
  const seed = blockSeed(job.seed, job.blockIndex);
  const { size, inputTokens } = await sizePrompts(job, seed, client, now, abort.signal);
  const prompt = buildPrompt(sharedPrefix(seed, size.prefixWords), seed, 'check', 0, size);
  const sample = { index: 0, phase: 'warmup' as const, scheduledMs: now(), prompt, maxTokens: CHECKED_TOKENS };
  const tokenCheck = await client.countTokens(sample, abort.signal);
  const counter = createSecondCounter();
  const seconds = emitSeconds(counter, now, job.workload.warmupS);
  let watch: ReturnType<typeof watchClient> | null = null;
  let health: ClientHealth | null = null;
  const generated = await generate(
    job,
    size,
    client,
    now,
    {
      onSent: counter.sent,
      onChunk: counter.chunk,
      onEnded: counter.ended,
      onPhase: (phase, atMs) => {
        if (phase === 'measuring') {
          seconds.restart(atMs);
          watch = watchClient();
        }
        if (phase === 'draining') {
          seconds.stop();
          health = watch?.stop() ?? null;
        }
        tell({ kind: 'phase', phase });
      },
    },
    abort.signal,
  );
  client.close();
  if (health === null) throw new Error('the run ended before its window');
  const { records, window, ...counts } = generated;
  const stats = {
    ...(health as ClientHealth),
    ...counts,
    onEngineHost: job.onEngineHost,
    sizedInputTokens: inputTokens,
    tokenCheck,
  };
  tell({ kind: 'done', records, window, client: stats, zeroNs, zeroEpochMs: performance.timeOrigin + zero });
}

// The parent closes the channel when it has what it needs, or when it dies: either way this process ends.
process.on('message', (message: ToGenerator) => {
  if (message.kind === 'abort') return abort.abort();
  run(message.job).catch((error: unknown) =>
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
