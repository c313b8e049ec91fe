import type { SecondRow } from '@/server/core/metrics/records';
import type { ExperimentState, StreamEvent } from '@/server/core/run/stream';
import {
  type EffectiveRow,
  isTerminal,
  type Point,
  type Quality,
  type TrialOutcome,
  type TrialState,
} from '@/server/core/run/trial';

/** One trial as far as events and the snapshot told. `valid` is null until the trial has ended. */
export interface LiveTrial {
  id: string;
  arm: number;
  block: number;
  attempt: number;
  state: TrialState;
  superseded: boolean;
  worker: string | null;
  valid: boolean | null;
  reasons: string[];
  /** UTC, ISO 8601; null while queued, or while it runs. */
  startedAt: string | null;
  endedAt: string | null;
  phases: { phase: TrialState; at: string; detail: string | null }[];
  /** Key: `workload#loadIndex`. Ascending t, one row a second. */
  seconds: Record<string, SecondRow[]>;
  points: Point[];
  effective: EffectiveRow[];
  quality: Quality | null;
  cause: TrialOutcome['cause'];
  logTail: string[];
}

/**
 * An experiment as a page holds it. `lastSeq` is the last event that was applied with none missing before it;
 * later ones wait in `held` until the gap closes.
 */
export interface LiveState {
  lastSeq: number;
  held: readonly StreamEvent[];
  experiment: { state: ExperimentState; detail: string | null };
  trials: Readonly<Record<string, LiveTrial>>;
  lastEventAt: string | null;
}

const LOG_LINES = 200;
export const seriesKey = (workload: string, loadIndex: number): string => `${workload}#${loadIndex}`;

export const emptyTrial = (id: string): LiveTrial => ({
  id,
  arm: -1,
  block: -1,
  attempt: 0,
  state: 'queued',
  superseded: false,
  worker: null,
  valid: null,
  reasons: [],
  startedAt: null,
  endedAt: null,
  phases: [],
  seconds: {},
  points: [],
  effective: [],
  quality: null,
  cause: null,
  logTail: [],
});

export const emptyLiveState = (lastSeq = 0): LiveState => ({
  lastSeq,
  held: [],
  experiment: { state: 'queued', detail: null },
  trials: {},
  lastEventAt: null,
});

/** Puts rows in order of `t`; a row that came twice (a replay after a reconnect) replaces itself. */
export function mergeSeconds(rows: readonly SecondRow[], more: readonly SecondRow[]): SecondRow[] {
  const last = rows.at(-1);
  if (more.length === 1 && more[0] && (!last || more[0].t > last.t)) return [...rows, more[0]];
  const byT = new Map(rows.map((row) => [row.t, row]));
  for (const row of more) byT.set(row.t, row);
  return [...byT.values()].sort((a, b) => a.t - b.t);
}

const samePoint = (a: Point, b: Point): boolean =>
  a.workload === b.workload && JSON.stringify(a.load) === JSON.stringify(b.load);

function mergeEffective(rows: readonly EffectiveRow[], more: readonly EffectiveRow[]): EffectiveRow[] {
  const keyOf = (row: EffectiveRow) => `${row.nodeId ?? ''}/${row.setting}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of more) byKey.set(keyOf(row), row);
  return [...byKey.values()];
}

function applyToTrial(trial: LiveTrial, event: StreamEvent): LiveTrial {
  const { body, at } = event;
  switch (body.kind) {
    case 'phase':
      return {
        ...trial,
        // A phase never revives a trial that has ended.
        state: isTerminal(trial.state) ? trial.state : body.phase,
        startedAt: trial.startedAt ?? at,
        phases: [...trial.phases, { phase: body.phase, at, detail: body.detail }],
      };
    case 'log':
      return { ...trial, logTail: [...trial.logTail, ...body.lines].slice(-LOG_LINES) };
    case 'effective':
      return { ...trial, effective: mergeEffective(trial.effective, body.rows) };
    case 'second': {
      const key = seriesKey(body.workload, body.loadIndex);
      return { ...trial, seconds: { ...trial.seconds, [key]: mergeSeconds(trial.seconds[key] ?? [], [body.row]) } };
    }
    case 'point':
      return { ...trial, points: [...trial.points.filter((p) => !samePoint(p, body.point)), body.point] };
    case 'trial': {
      const { kind: _, ...row } = body;
      return { ...trial, ...row, endedAt: trial.endedAt ?? (isTerminal(row.state) ? at : null) };
    }
    case 'outcome':
      return {
        ...trial,
        state: body.state,
        valid: body.valid,
        reasons: body.reasons,
        effective: mergeEffective(trial.effective, body.effective),
        quality: body.quality ?? trial.quality,
        cause: body.cause,
        endedAt: trial.endedAt ?? at,
      };
    case 'experiment':
      return trial;
  }
}

function applyOne(state: LiveState, event: StreamEvent): LiveState {
  const next = { ...state, lastSeq: event.seq, lastEventAt: event.at };
  if (event.body.kind === 'experiment') {
    return { ...next, experiment: { state: event.body.state, detail: event.body.detail } };
  }
  if (event.trialId === null) return next;
  const trial = state.trials[event.trialId] ?? emptyTrial(event.trialId);
  return { ...next, trials: { ...state.trials, [event.trialId]: applyToTrial(trial, event) } };
}

/**
 * Applies events in the order of `seq`, whatever order they came in. Known ones are ignored; those behind a gap are
 * held until the missing ones arrive, so that nothing on the page skips what it has not seen.
 */
export function applyEvents(state: LiveState, events: readonly StreamEvent[]): LiveState {
  const waiting = new Map<number, StreamEvent>();
  for (const event of [...state.held, ...events]) if (event.seq > state.lastSeq) waiting.set(event.seq, event);
  if (waiting.size === 0) return state.held.length === 0 ? state : { ...state, held: [] };
  let next = state;
  for (let event = waiting.get(next.lastSeq + 1); event; event = waiting.get(next.lastSeq + 1)) {
    waiting.delete(event.seq);
    next = applyOne(next, event);
  }
  return { ...next, held: [...waiting.values()].sort((a, b) => a.seq - b.seq) };
}

/** The missing stretch of sequence numbers, or null if there is none. */
export function gapOf(state: LiveState): { from: number; to: number } | null {
  const first = state.held[0];
  return first ? { from: state.lastSeq + 1, to: first.seq - 1 } : null;
}

/**
 * Takes a fresh snapshot of the server (state up to `snapshot.lastSeq`) over what the page knows. Seconds that only
 * the page has are kept: the server drops them from the stream when a trial ends.
 */
export function applySnapshot(state: LiveState, snapshot: LiveState): LiveState {
  if (snapshot.lastSeq < state.lastSeq) return state;
  const trials = Object.fromEntries(
    Object.entries(snapshot.trials).map(([id, trial]) => {
      const known = state.trials[id];
      return [id, known ? keepStreamed(trial, known) : trial];
    }),
  );
  const { held } = state;
  return applyEvents(
    { ...snapshot, lastEventAt: later(snapshot.lastEventAt, state.lastEventAt), trials, held: [] },
    held,
  );
}

/** The later of two ISO times in UTC, which sort as text. */
const later = (a: string | null, b: string | null): string | null => ((a ?? '') > (b ?? '') ? a : b);

function keepStreamed(trial: LiveTrial, known: LiveTrial): LiveTrial {
  const keys = new Set([...Object.keys(trial.seconds), ...Object.keys(known.seconds)]);
  const seconds = [...keys].map((key) => [key, mergeSeconds(known.seconds[key] ?? [], trial.seconds[key] ?? [])]);
  return {
    ...trial,
    seconds: Object.fromEntries(seconds),
    points: trial.points.length >= known.points.length ? trial.points : known.points,
    effective: mergeEffective(known.effective, trial.effective),
    phases: trial.phases.length >= known.phases.length ? trial.phases : known.phases,
    logTail: trial.logTail.length > 0 ? trial.logTail : known.logTail,
  };
}

/** Adds one-second rows that were fetched from the store, e.g. of trials that ended before the page was opened. */
export function addSeconds(
  state: LiveState,
  stored: readonly { trialId: string; workload: string; loadIndex: number; rows: readonly SecondRow[] }[],
): LiveState {
  const trials = { ...state.trials };
  for (const { trialId, workload, loadIndex, rows } of stored) {
    const trial = trials[trialId];
    if (!trial) continue;
    const key = seriesKey(workload, loadIndex);
    trials[trialId] = { ...trial, seconds: { ...trial.seconds, [key]: mergeSeconds(rows, trial.seconds[key] ?? []) } };
  }
  return { ...state, trials };
}
