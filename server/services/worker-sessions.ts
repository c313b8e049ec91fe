import type { z } from 'zod';
import { PROTOCOL_VERSION, type registerInput, type registerOutput } from '../core/run/protocol';
import { toJson } from '../db/json';
import { readEnv } from '../env';
import { AppError } from '../errors';
import { notifyTeam } from './nudges';
import { capabilitiesOf } from './requirements';
import type { Scope } from './scope';

/** Heartbeats in one lease: two may be lost without losing the attempt. */
const HEARTBEATS_PER_LEASE = 3;

/** A worker token, authenticated. */
export interface WorkerScope extends Scope {
  tokenId: string;
}

/** Milliseconds that a worker may stay silent. */
export const leaseMs = (): number => readEnv().INFERLOOM_LEASE_MS;

/** Refuses agents that speak neither this version of the protocol nor the one before. */
export function checkProtocol(version: number): void {
  if (version === PROTOCOL_VERSION || version === PROTOCOL_VERSION - 1) return;
  throw new AppError(
    'bad-request',
    `This server speaks version ${PROTOCOL_VERSION} of the worker protocol, the agent version ${version}. Install the same release on both.`,
    { problem: 'protocol', protocolVersion: PROTOCOL_VERSION },
  );
}

/** A worker is known by its token and its name: a restarted agent is the same worker. */
export async function registerWorker(
  scope: WorkerScope,
  input: z.infer<typeof registerInput>,
): Promise<z.infer<typeof registerOutput>> {
  checkProtocol(input.protocolVersion);
  const { teamId, tokenId } = scope;
  const facts = {
    agentVersion: input.agentVersion,
    protocolVersion: input.protocolVersion,
    host: toJson(input.host),
    fingerprint: input.host.fingerprint,
    lastSeenAt: new Date(),
    ...capabilitiesOf(input.host),
  };
  const worker = await scope.db.$transaction(async (tx) => {
    const row = await tx.worker.upsert({
      where: { tokenId_name: { tokenId, name: input.name } },
      create: { teamId, tokenId, name: input.name, ...facts },
      update: facts,
    });
    await notifyTeam(tx, teamId, 'workers', row.id);
    return row;
  });
  const lease = leaseMs();
  return { workerId: worker.id, leaseMs: lease, heartbeatMs: Math.floor(lease / HEARTBEATS_PER_LEASE) };
}

/** The worker of this token, or not-found: one token never speaks for another's worker. */
export async function findWorker(scope: WorkerScope, workerId: string) {
  const worker = await scope.db.worker.findFirst({ where: { id: workerId, tokenId: scope.tokenId } });
  if (!worker)
    throw new AppError('not-found', 'This token has no such worker. Register first.', { problem: 'register' });
  return worker;
}

const SEEN_EVERY_MS = 5_000;

/** Notes that the worker was heard, at most every five seconds. */
export async function noteSeen(scope: WorkerScope, workerId: string): Promise<void> {
  const now = new Date();
  await scope.db.worker.updateMany({
    where: { id: workerId, lastSeenAt: { lt: new Date(now.getTime() - SEEN_EVERY_MS) } },
    data: { lastSeenAt: now },
  });
}
