import { isTerminal } from '@/server/core/run/trial';
import type { LiveState, LiveTrial } from './live-state';

export interface Progress {
  /** Trials that ended and count, of those planned. */
  ended: number;
  planned: number;
  /** The block being run, from 1; null before the first and after the last. */
  block: number | null;
  blocks: number;
  /** Of the trial being run; null between trials. */
  current: LiveTrial | null;
  /** From the mean time that the ended trials took; null until one has. */
  secondsLeft: number | null;
  /** 0…1. */
  share: number;
}

const spanMs = (trial: LiveTrial): number | null =>
  trial.startedAt && trial.endedAt ? Date.parse(trial.endedAt) - Date.parse(trial.startedAt) : null;

/** How far a run is. A block that is run again adds nothing to what is planned: only what counts is counted. */
export function progressOf(live: LiveState, plan: { arms: number; blocks: number }, nowMs: number): Progress {
  const counting = Object.values(live.trials).filter((trial) => !trial.superseded);
  const ended = counting.filter((trial) => isTerminal(trial.state) && trial.state !== 'lost').length;
  const planned = Math.max(plan.arms * plan.blocks, counting.length);
  const running = counting.filter((t) => !isTerminal(t.state) && t.state !== 'queued');
  const current = running.find((t) => t.state !== 'claimed') ?? null;
  const spans = Object.values(live.trials).flatMap((trial) => spanMs(trial) ?? []);
  const meanMs = spans.length === 0 ? null : spans.reduce((a, b) => a + b, 0) / spans.length;
  const spentMs = current?.startedAt ? Math.max(0, nowMs - Date.parse(current.startedAt)) : 0;
  const leftMs = meanMs === null ? null : Math.max(0, (planned - ended) * meanMs - Math.min(spentMs, meanMs));
  const block = running[0]?.block ?? null;
  return {
    ended,
    planned,
    block: block === null ? null : block + 1,
    blocks: plan.blocks,
    current,
    secondsLeft: leftMs === null ? null : leftMs / 1000,
    share: planned === 0 ? 0 : ended / planned,
  };
}

/** `running, block 2 of 3, 7 of 15 trials`; a state that has ended says how. */
export function progressText(live: LiveState, progress: Progress): string {
  const { state } = live.experiment;
  const trials = `${progress.ended} of ${progress.planned} trials`;
  if (state === 'queued') return `queued: waits for a worker, ${trials}`;
  if (state !== 'running') return `${state}, ${trials}`;
  return [`running`, progress.block === null ? null : `block ${progress.block} of ${progress.blocks}`, trials]
    .filter(Boolean)
    .join(', ');
}
