import { emptyLiveState, emptyTrial, type LiveState, type LiveTrial } from './live-state';
import type { ExperimentDetail } from './views';

const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString());

/** The parts of `experiments.get` that live events go on from. */
export type SnapshotSource = Pick<ExperimentDetail, 'state' | 'lastSeq' | 'trials'>;

function trialOf(view: SnapshotSource['trials'][number]): LiveTrial {
  const { outcome } = view;
  return {
    ...emptyTrial(view.id),
    arm: view.arm,
    block: view.block,
    attempt: view.attempt,
    state: view.state,
    superseded: view.superseded,
    worker: view.worker,
    valid: view.valid,
    reasons: outcome?.reasons ?? [],
    startedAt: iso(view.startedAt),
    endedAt: iso(view.finishedAt),
    points: outcome?.points ?? [],
    effective: view.effective,
    quality: outcome?.quality ?? null,
    cause: outcome?.cause ?? null,
  };
}

/** When something was last heard, as far as the rows tell: ISO times in UTC sort as text. */
function lastHeard(trials: readonly LiveTrial[]): string | null {
  const times = trials.flatMap((trial) => [trial.startedAt ?? [], trial.endedAt ?? []].flat());
  return times.sort().at(-1) ?? null;
}

/** What the server knew at `lastSeq`, as a live state. One-second rows come apart. */
export function liveStateOf(detail: SnapshotSource): LiveState {
  const trials = detail.trials.map(trialOf);
  return {
    ...emptyLiveState(detail.lastSeq),
    experiment: { state: detail.state, detail: null },
    trials: Object.fromEntries(trials.map((trial) => [trial.id, trial])),
    lastEventAt: lastHeard(trials),
  };
}
