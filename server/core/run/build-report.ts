import { crownBest } from './best';
import { compareArms } from './comparisons';
import { reportDeployment } from './deployment-report';
import type { ExperimentSpec } from './experiment';
import type { Report } from './report';
import type { ReportTrial } from './report-trial';
import type { Host, TrialOutcome } from './trial';
import { clientNotes, hostNotes } from './trust';
import { writeSentence } from './verdict-sentence';
import { capacityNotes } from './workload-capacity';

/** What surrounds a run: when and where. */
export interface ReportContext {
  /** ISO 8601, UTC. */
  startedAt: string;
  host: Host | null;
  notes?: readonly string[];
}

const STAMP_ORDER: readonly TrialOutcome['stamp'][] = ['SIMULATED', 'EXTERNAL', 'MEASURED'];

/** The weakest stamp of any trial: one simulated trial makes the whole no measurement. */
function stampOf(trials: readonly ReportTrial[]): Report['stamp'] {
  const stamps = trials.flatMap((t) => t.outcome?.stamp ?? []);
  return STAMP_ORDER.find((stamp) => stamps.includes(stamp)) ?? 'MEASURED';
}

function fewValidNote(trials: readonly ReportTrial[]): string[] {
  const ended = trials.filter((t) => t.outcome !== null && !t.superseded);
  const invalid = ended.filter((t) => t.state === 'failed' || t.outcome?.valid === false);
  return invalid.length === 0
    ? []
    : [`${invalid.length} of ${ended.length} trials failed or were invalid: see their reasons`];
}

/**
 * The report of a run from whatever trials there are: also of a part of the blocks, for the live page.
 * Superseded trials stay in the history and out of the comparison.
 */
export function buildReport(spec: ExperimentSpec, trials: readonly ReportTrial[], context: ReportContext): Report {
  const comparisons = compareArms(spec, trials);
  const deployments = spec.arms.map((plan, arm) => reportDeployment(spec, trials, arm, plan, comparisons));
  const best = crownBest(spec, deployments);
  const points = trials.flatMap((t) => (t.superseded ? [] : (t.outcome?.points ?? [])));
  const busy = hostNotes(points);
  const demo = spec.demo ? ['demo model: shows the method, not your gain'] : [];
  return {
    stamp: stampOf(trials),
    pipelineHash: spec.pipelineHash,
    seed: spec.seed,
    startedAt: context.startedAt,
    host: context.host,
    sentence: writeSentence(spec, deployments, best, busy.length > 0),
    notes: [
      ...demo,
      ...busy,
      ...clientNotes(points),
      ...capacityNotes(deployments),
      ...fewValidNote(trials),
      ...(context.notes ?? []),
    ],
    deployments,
    best,
  };
}
