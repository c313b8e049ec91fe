import { NOTE_PREFIX } from '../metrics/measure-point';
import { PHYSICS_SKIPPED } from '../metrics/physics';
import { describeStampError } from '../metrics/stamp-error';
import type { WorkloadReport } from './report';
import type { Point } from './trial';

/** What a note says without its prefix. */
export const noteText = (reason: string): string =>
  reason.startsWith(NOTE_PREFIX) ? reason.slice(NOTE_PREFIX.length) : reason;
export const isNote = (reason: string): boolean => reason.startsWith(NOTE_PREFIX);

const BUSY = 'the host was busy';

/**
 * How far a result may be trusted. invalid: no valid block. C: one block, so no interval over blocks. B: under three
 * blocks, or a note that touches the figures (busy host, lagging client, skipped check). A: three or more, clean.
 */
export function gradeTrust(points: readonly Point[], tried: readonly Point[]): WorkloadReport['trust'] {
  const notes = [...new Set(points.flatMap((p) => p.reasons.filter(isNote).map(noteText)))];
  const failed = [...new Set(tried.filter((p) => !p.valid).flatMap((p) => p.reasons.filter((r) => !isNote(r))))];
  if (points.length === 0) {
    return { grade: 'invalid', reasons: failed.length > 0 ? failed : ['no valid measurement yet'] };
  }
  const reasons = [...failed.map((reason) => `a block was invalid: ${reason}`), ...notes];
  if (points.length === 1) return { grade: 'C', reasons: ['one block: no interval over blocks', ...reasons] };
  if (points.length < 3) return { grade: 'B', reasons: [`${points.length} blocks only`, ...reasons] };
  // Hardware without known bandwidth is no doubt about this measurement: said, not graded.
  const doubts = reasons.filter((reason) => !reason.startsWith(PHYSICS_SKIPPED));
  return { grade: doubts.length > 0 ? 'B' : 'A', reasons };
}

/** What the load client's own stamps were off by, at the worst of the measured levels. */
export function clientNotes(points: readonly Point[]): string[] {
  const errors = points.flatMap((p) => p.stampError ?? []).sort((a, b) => b.p99Ms - a.p99Ms);
  return errors.slice(0, 1).map((worst) => `the load client's stamps are within ${describeStampError(worst)}`);
}

/** Notes about a contended host, once each kind, with the worst text. */
export function hostNotes(points: readonly Point[]): string[] {
  // A point may carry one such note per cause (load average, steal): it is one measurement all the same.
  const busy = points.flatMap(
    (p) =>
      p.reasons
        .filter(isNote)
        .map(noteText)
        .find((n) => n.startsWith(BUSY)) ?? [],
  );
  const first = busy[0];
  if (!first) return [];
  return [`${first} (${busy.length} of ${points.length} measurements met a busy host)`];
}
