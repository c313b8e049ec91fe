import type { ExperimentSpec } from '@/server/core/run/experiment';
import { PROTOCOL_VERSION } from '@/server/core/run/protocol';
import type { Host } from '@/server/core/run/trial';
import { systemDb } from '@/server/db/client';
import { storeExperiment } from '@/server/services/experiment-store';
import { type Scope, teamScope } from '@/server/services/scope';
import { createToken } from '@/server/services/tokens';
import { registerWorker, type WorkerScope } from '@/server/services/worker-sessions';
import { host, spec } from '../fixtures/experiment';

export async function makeTeam(name = 'Team'): Promise<Scope> {
  const team = await systemDb().team.create({ data: { name } });
  return teamScope(team.id, { kind: 'system', id: null, name: 'test' });
}

/** A registered worker with a token of its own. */
export async function makeWorker(
  scope: Scope,
  name = 'worker',
  fields: Partial<Host> = {},
): Promise<{ scope: WorkerScope; workerId: string; token: string }> {
  const token = await createToken(scope, { kind: 'worker', name, role: null, expiresInDays: null });
  const workerScope = { ...scope, tokenId: token.id };
  const { workerId } = await registerWorker(workerScope, {
    protocolVersion: PROTOCOL_VERSION,
    name,
    agentVersion: '0.1.0',
    host: host(fields),
  });
  return { scope: workerScope, workerId, token: token.token };
}

export const makeExperiment = (scope: Scope, fields: Partial<ExperimentSpec> = {}) =>
  scope.db.$transaction((tx) =>
    storeExperiment(tx, scope, {
      spec: spec(fields),
      document: { version: 1, nodes: [], edges: [] },
      title: 'Test',
      pipelineId: null,
      pipelineRevision: null,
      findings: [],
    }),
  );
