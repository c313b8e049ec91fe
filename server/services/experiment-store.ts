import type { Pipeline as Document } from '../core/pipeline/document';
import type { Finding } from '../core/plan/finding';
import { blockOrder } from '../core/run/block-order';
import { MAX_BLOCK_RUNS } from '../core/run/block-verdict';
import type { ExperimentSpec } from '../core/run/experiment';
import { toJson, toJsonArray } from '../db/json';
import { nextExperimentNumber } from '../db/sql/next-experiment-number';
import type { TeamTx } from '../db/team-db';
import { appendEvents, type NewEvent } from './events';
import { notifyTeam } from './nudges';
import { queueTrials } from './queue-trials';
import { requirementsOf } from './requirements';
import { type Scope, writeAudit } from './scope';

export interface NewExperiment {
  spec: ExperimentSpec;
  document: Document;
  title: string;
  pipelineId: string | null;
  pipelineRevision: number | null;
  findings: Finding[];
}

/** Stores the frozen experiment first, then enqueues its blocks, in one transaction. */
export async function storeExperiment(
  tx: TeamTx,
  scope: Scope,
  input: NewExperiment,
): Promise<{ experimentId: string; number: number }> {
  const { teamId } = scope;
  const { spec } = input;
  const number = await nextExperimentNumber(tx, teamId);
  const experiment = await tx.experiment.create({
    data: {
      teamId,
      number,
      pipelineId: input.pipelineId,
      pipelineRevision: input.pipelineRevision,
      title: input.title,
      document: toJson(input.document),
      spec: toJson(spec),
      pipelineHash: spec.pipelineHash,
      seed: BigInt(spec.seed),
      demo: spec.demo,
      findings: toJsonArray(input.findings),
      createdBy: scope.actor.name,
      ...requirementsOf(spec.arms),
    },
  });
  const experimentId = experiment.id;
  await tx.stream.create({ data: { teamId, experimentId } });
  await tx.arm.createMany({
    data: spec.arms.map((plan, index) => ({
      teamId,
      experimentId,
      index,
      deployment: plan.deployment,
      label: plan.label,
      planHash: plan.planHash,
      launchHash: plan.launchHash,
      isBaseline: plan.isBaseline,
    })),
  });
  const events: NewEvent[] = [
    { trialId: null, body: { kind: 'experiment', state: 'queued', detail: null } },
    ...(await enqueueBlocks(tx, teamId, experimentId, spec)),
  ];
  await writeAudit(tx, scope, {
    action: 'experiment.start',
    subjectKind: 'experiment',
    subjectId: experimentId,
    detail: { number, seed: spec.seed, pipelineHash: spec.pipelineHash },
  });
  await notifyTeam(tx, teamId, 'experiments', experimentId);
  await appendEvents(tx, teamId, experimentId, events);
  return { experimentId, number };
}

async function enqueueBlocks(
  tx: TeamTx,
  teamId: string,
  experimentId: string,
  spec: ExperimentSpec,
): Promise<NewEvent[]> {
  const blocks = await tx.block.createManyAndReturn({
    data: Array.from({ length: spec.blocks }, (_, index) => ({
      teamId,
      experimentId,
      index,
      runsLeft: MAX_BLOCK_RUNS,
    })),
    select: { id: true, index: true },
  });
  const events: NewEvent[] = [];
  for (const block of blocks.sort((a, b) => a.index - b.index)) {
    const order = blockOrder(spec.seed, block.index, spec.arms.length);
    events.push(...(await queueTrials(tx, teamId, { experimentId, block, attemptNumber: 1, order })));
  }
  return events;
}
