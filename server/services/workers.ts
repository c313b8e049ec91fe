import { type Host, hostSchema } from '../core/run/trial';
import { AppError } from '../errors';
import { notifyTeam } from './nudges';
import { type Scope, writeAudit } from './scope';

export interface WorkerView {
  id: string;
  name: string;
  /** Seen within the last three heartbeats. */
  online: boolean;
  lastSeenAt: Date;
  createdAt: Date;
  agentVersion: string;
  protocolVersion: number;
  host: Host;
  capabilities: string[];
  token: { id: string; prefix: string; revoked: boolean };
  /** What it runs now. */
  running: { experimentId: string; experimentNumber: number; block: number; attempt: number } | null;
}

const ONLINE_MS = 30_000;

export async function listWorkers(scope: Scope): Promise<WorkerView[]> {
  const rows = await scope.db.worker.findMany({
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    take: 200,
    include: {
      token: { select: { id: true, prefix: true, revokedAt: true } },
      attempts: {
        where: { state: 'running' },
        take: 1,
        include: { block: { include: { experiment: { select: { id: true, number: true } } } } },
      },
    },
  });
  return rows.map((row) => {
    const attempt = row.attempts[0];
    return {
      id: row.id,
      name: row.name,
      online: !row.token.revokedAt && Date.now() - row.lastSeenAt.getTime() < ONLINE_MS,
      lastSeenAt: row.lastSeenAt,
      createdAt: row.createdAt,
      agentVersion: row.agentVersion,
      protocolVersion: row.protocolVersion,
      host: hostSchema.parse(row.host),
      capabilities: row.capabilities,
      token: { id: row.token.id, prefix: row.token.prefix, revoked: row.token.revokedAt !== null },
      running: attempt
        ? {
            experimentId: attempt.block.experiment.id,
            experimentNumber: attempt.block.experiment.number,
            block: attempt.block.index,
            attempt: attempt.number,
          }
        : null,
    };
  });
}

/** Revokes the token that the worker came with: other agents with the same token end too. */
export async function revokeWorker(scope: Scope, id: string): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    const worker = await tx.worker.findFirst({ where: { id } });
    if (!worker) throw new AppError('not-found', 'No such worker.');
    await tx.token.updateMany({ where: { id: worker.tokenId, revokedAt: null }, data: { revokedAt: new Date() } });
    await writeAudit(tx, scope, {
      action: 'worker.revoke',
      subjectKind: 'worker',
      subjectId: id,
      detail: { name: worker.name },
    });
    await notifyTeam(tx, scope.teamId, 'workers', id);
  });
}
