import type { Pipeline as Document } from '../core/pipeline/document';
import type { Finding } from '../core/plan/finding';
import type { ExperimentSpec } from '../core/run/experiment';
import { AppError } from '../errors';

export interface FreezeOptions {
  blocks: number | null;
  seed: number;
  /** Arm ids to run beside the baseline; null runs all. */
  deployments: string[] | null;
}

/** Compiles and freezes; `spec` is null where error findings block the run. */
export function freeze(
  _document: Document,
  _options: FreezeOptions,
): { spec: ExperimentSpec | null; findings: Finding[] } {
  throw new AppError('unavailable', 'The compiler is not in this build yet.');
}
