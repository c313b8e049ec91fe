import { randomInt } from 'node:crypto';
import { AppError } from '../errors';
import { storeExperiment } from './experiment-store';
import type { StartResult } from './experiment-views';
import { freeze } from './freeze';
import { getPipeline } from './pipelines';
import type { Scope } from './scope';

const MAX_SEED = 2 ** 31;

export interface StartInput {
  pipelineId: string;
  /** Revision that the person looked at; another one stored meanwhile is refused. */
  revision: number | null;
  blocks: number | null;
  seed: number | null;
  deployments: string[] | null;
}

/** Freezes the pipeline's stored document and enqueues its blocks; error findings start nothing. */
export async function startExperiment(scope: Scope, input: StartInput): Promise<StartResult> {
  const pipeline = await getPipeline(scope, input.pipelineId);
  if (input.revision !== null && input.revision !== pipeline.revision) {
    throw new AppError('conflict', 'The pipeline was changed meanwhile; look at it again before you run it.', {
      revision: pipeline.revision,
    });
  }
  const seed = input.seed ?? randomInt(1, MAX_SEED);
  const { spec, findings } = freeze(pipeline.document, { blocks: input.blocks, seed, deployments: input.deployments });
  if (!spec) return { started: false, findings };
  const made = await scope.db.$transaction((tx) =>
    storeExperiment(tx, scope, {
      spec,
      document: pipeline.document,
      title: pipeline.name,
      pipelineId: pipeline.id,
      pipelineRevision: pipeline.revision,
      findings,
    }),
  );
  return { started: true, ...made };
}
