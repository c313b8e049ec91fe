import { randomUUID } from 'node:crypto';
import { systemDb } from '@/server/db/client';
import { claimBlock } from '@/server/services/claims';
import { listExamples } from '@/server/services/examples';
import { inviteMember } from '@/server/services/invitations';
import { saveVersion } from '@/server/services/pipeline-versions';
import { createPipeline } from '@/server/services/pipelines';
import type { Scope } from '@/server/services/scope';
import { setSecret } from '@/server/services/secrets';
import { createToken } from '@/server/services/tokens';
import { makeExperiment, makeTeam, makeWorker } from './team';

/** One row of everything, in one team; ids by what they name. */
export interface Furnished {
  scope: Scope;
  pipelineId: string;
  versionId: string;
  experimentId: string;
  trialId: string;
  attemptId: string;
  workerId: string;
  workerScope: Awaited<ReturnType<typeof makeWorker>>['scope'];
  workerToken: string;
  workerTokenId: string;
  apiKeyId: string;
  secretId: string;
  /** A viewer of this team alone, beside an owner. */
  memberId: string;
  invitationId: string;
  planHash: string;
}

/** A person with this role in the team. */
export async function makeMember(scope: Scope, name: string, role: 'owner' | 'editor' | 'viewer'): Promise<string> {
  const id = randomUUID();
  await systemDb().user.create({ data: { id, name, email: `${id}@example.com` } });
  await scope.db.member.create({ data: { teamId: scope.teamId, userId: id, role } });
  return id;
}

/** A team with a pipeline that compiles, a claimed experiment, a worker, tokens and a secret. */
export async function furnishTeam(name: string): Promise<Furnished> {
  const scope = await makeTeam(name);
  const document = listExamples()[0]?.document;
  const pipeline = await createPipeline(scope, { name: `${name} pipeline`, document });
  const version = await saveVersion(scope, { id: pipeline.id, name: `${name} version` });
  const secret = await setSecret(scope, { name: 'INFERLOOM_SECRET_KEY', value: `${name} secret` });
  const apiKey = await createToken(scope, { kind: 'api_key', name: `${name} key`, role: 'owner', expiresInDays: null });
  await makeMember(scope, `${name} owner`, 'owner');
  const memberId = await makeMember(scope, `${name} viewer`, 'viewer');
  const invitation = await inviteMember(scope, { role: 'editor' });
  const { experimentId } = await makeExperiment(scope);
  const worker = await makeWorker(scope, `${name} worker`);
  const block = await claimBlock(worker.scope, worker.workerId);
  if (!block) throw new Error('nothing to claim');
  return {
    scope,
    pipelineId: pipeline.id,
    versionId: version.id,
    experimentId,
    trialId: block.trials[0]?.trialId ?? randomUUID(),
    attemptId: block.attemptId,
    workerId: worker.workerId,
    workerScope: worker.scope,
    workerToken: worker.token,
    workerTokenId: worker.scope.tokenId,
    apiKeyId: apiKey.id,
    secretId: secret.id,
    memberId,
    invitationId: invitation.id,
    planHash: 'plan-baseline',
  };
}
