import { pipelineSchema } from '../core/pipeline/document';
import { findingSchema } from '../core/plan/finding';
import { experimentSpecSchema } from '../core/run/experiment';
import type { ExperimentState } from '../core/run/stream';
import { causeSchema, effectiveRowSchema, hostSchema, trialOutcomeSchema } from '../core/run/trial';
import type { Prisma } from '../db/generated/client';
import { AppError } from '../errors';
import type {
  BlockView,
  ExperimentDetail,
  ExperimentSummary,
  SecondsView,
  TrialDetail,
  TrialView,
} from './experiment-views';
import { type Page, type PageInput, readCursor, toPage } from './paging';
import { reportOf } from './report';
import type { Scope } from './scope';
import { readPhases, readSeconds } from './trial-history';

const SUMMARY = {
  _count: { select: { arms: true, blocks: true } },
  blocks: { where: { state: { notIn: ['queued', 'running'] } }, select: { id: true } },
} as const satisfies Prisma.ExperimentInclude;
type SummaryRow = Prisma.ExperimentGetPayload<{ include: typeof SUMMARY }>;

const toSummary = (row: SummaryRow): ExperimentSummary => ({
  id: row.id,
  number: row.number,
  title: row.title,
  pipelineId: row.pipelineId,
  state: row.state,
  cancelRequested: row.cancelRequestedAt !== null,
  armCount: row._count.arms,
  blockCount: row._count.blocks,
  blocksEnded: row.blocks.length,
  demo: row.demo,
  sentence: row.sentence,
  stamp: row.stamp as ExperimentSummary['stamp'],
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
});

/** Newest first. Ids are time-ordered, so the id alone is the key. */
export async function listExperiments(
  scope: Scope,
  input: PageInput & { pipelineId?: string | undefined; state?: ExperimentState | undefined },
): Promise<Page<ExperimentSummary>> {
  const after = readCursor(input.cursor);
  const rows = await scope.db.experiment.findMany({
    where: {
      ...(input.pipelineId ? { pipelineId: input.pipelineId } : {}),
      ...(input.state ? { state: input.state } : {}),
      ...(after ? { id: { lt: after.id } } : {}),
    },
    orderBy: { id: 'desc' },
    take: input.limit + 1,
    include: SUMMARY,
  });
  return toPage(rows, input.limit, toSummary, (row) => ({ at: row.createdAt, id: row.id }));
}

const TRIAL = {
  attempt: { select: { worker: { select: { id: true, name: true } } } },
  block: { select: { index: true } },
} as const satisfies Prisma.TrialInclude;
type TrialRow = Prisma.TrialGetPayload<{ include: typeof TRIAL }>;

const toTrial = (row: TrialRow): TrialView => ({
  id: row.id,
  arm: row.armIndex,
  block: row.block.index,
  attempt: row.attemptNumber,
  state: row.state,
  superseded: row.superseded,
  valid: row.valid,
  worker: row.attempt?.worker.name ?? null,
  effective: row.effective === null ? [] : effectiveRowSchema.array().parse(row.effective),
  outcome: row.outcome === null ? null : trialOutcomeSchema.parse(row.outcome),
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
});

/** All that the experiment's page shows. Everything up to `lastSeq` of its stream is in the answer. */
export async function getExperiment(scope: Scope, id: string): Promise<ExperimentDetail> {
  // The sequence number first: an event that lands while the rest is read is seen twice rather than not at all.
  const stream = await scope.db.stream.findFirst({ where: { experimentId: id }, select: { seq: true } });
  const row = await scope.db.experiment.findFirst({ where: { id }, include: SUMMARY });
  if (!row || !stream) throw new AppError('not-found', 'No such experiment.');
  const [blocks, trials, report] = await Promise.all([
    readBlocks(scope, id),
    scope.db.trial.findMany({
      where: { experimentId: id },
      orderBy: [{ block: { index: 'asc' } }, { attemptNumber: 'asc' }, { position: 'asc' }],
      include: TRIAL,
    }),
    reportOf(scope.db, id),
  ]);
  return {
    ...toSummary(row),
    document: pipelineSchema.parse(row.document),
    pipelineRevision: row.pipelineRevision,
    spec: experimentSpecSchema.parse(row.spec),
    findings: findingSchema.array().parse(row.findings),
    blocks,
    trials: trials.map(toTrial),
    report,
    host: report?.host ?? (await hostOf(scope, id)),
    lastSeq: stream.seq,
  };
}

async function readBlocks(scope: Scope, experimentId: string): Promise<BlockView[]> {
  const rows = await scope.db.block.findMany({
    where: { experimentId },
    orderBy: { index: 'asc' },
    include: {
      attempts: { orderBy: { number: 'desc' }, take: 1, include: { worker: { select: { id: true, name: true } } } },
    },
  });
  return rows.map((row) => ({
    id: row.id,
    index: row.index,
    state: row.state,
    attempt: row.attempt,
    cause: row.cause === null ? null : causeSchema.parse(row.cause),
    worker: row.attempts[0]?.worker ?? null,
  }));
}

async function hostOf(scope: Scope, experimentId: string) {
  const attempt = await scope.db.attempt.findFirst({
    where: { block: { experimentId } },
    orderBy: { claimedAt: 'asc' },
    select: { worker: { select: { host: true } } },
  });
  return attempt ? hostSchema.parse(attempt.worker.host) : null;
}

export async function getTrial(scope: Scope, id: string): Promise<TrialDetail> {
  const row = await scope.db.trial.findFirst({ where: { id }, include: TRIAL });
  if (!row) throw new AppError('not-found', 'No such trial.');
  const trial = toTrial(row);
  return {
    ...trial,
    experimentId: row.experimentId,
    logTail: row.logTail,
    phases: await readPhases(scope.db, id),
    points: trial.outcome?.points ?? [],
  };
}

/** One-second rows of a trial, of every load level: from its points once it has ended, from the stream before. */
export async function getSeconds(scope: Scope, trialId: string): Promise<SecondsView[]> {
  const trial = await scope.db.trial.findFirst({ where: { id: trialId }, select: { id: true, finishedAt: true } });
  if (!trial) throw new AppError('not-found', 'No such trial.');
  const groups = await readSeconds(scope.db, trialId, trial.finishedAt !== null);
  return groups.map((group) => ({ trialId, ...group }));
}
