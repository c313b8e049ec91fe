import { compilePipeline } from '../core/compile/compile-pipeline';
import { type FreezeOptions, freezeExperiment } from '../core/compile/freeze-experiment';
import { ENGINES } from '../core/engines/index';
import type { Pipeline as Document } from '../core/pipeline/document';
import type { Finding } from '../core/plan/finding';
import { RULES } from '../core/rules/index';
import type { ExperimentSpec } from '../core/run/experiment';

/** Compiles and freezes with the registries of this build; `spec` is null where error findings forbid a run. */
export function freeze(
  document: Document,
  options: FreezeOptions,
): { spec: ExperimentSpec | null; findings: Finding[] } {
  const compiled = compilePipeline(document, { engines: ENGINES, rules: RULES });
  const { spec, findings } = freezeExperiment(compiled, options);
  return { spec, findings: spec ? compiled.findings : findings };
}
