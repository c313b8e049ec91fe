import { outcomeDigest } from '@/server/core/run/outcome-digest';
import { PROTOCOL_VERSION } from '@/server/core/run/protocol';
import { host, logs, outcome } from '@/test/fixtures/experiment';
import type { Furnished } from '@/test/support/two-teams';

export interface ProcedureCase {
  /** The least role that may call it. */
  least: 'viewer' | 'editor' | 'owner';
  /** An input that names rows of the given team, as far as the procedure names any. */
  input(team: Furnished): unknown;
  /** What an owner of another team gets for these ids: a refusal, or an answer without anything of theirs. */
  foreign: 'refused' | 'nothing-of-theirs';
}

const document = { version: 1, nodes: [], edges: [] };
const none = () => undefined;
const lists = (least: ProcedureCase['least'], input: ProcedureCase['input'] = none): ProcedureCase => ({
  least,
  input,
  foreign: 'nothing-of-theirs',
});
const names = (least: ProcedureCase['least'], input: ProcedureCase['input']): ProcedureCase => ({
  least,
  input,
  foreign: 'refused',
});

/** One case for every procedure that people can call. The order is that of a story: removal comes last. */
export const API_CASES: Record<string, ProcedureCase> = {
  'me.get': lists('viewer'),
  'members.list': lists('viewer'),
  'members.invitations': lists('owner'),
  'members.invite': lists('owner', () => ({ role: 'viewer' })),
  'members.withdraw': names('owner', (t) => ({ id: t.invitationId })),
  'members.changeRole': names('owner', (t) => ({ userId: t.memberId, role: 'editor' })),
  'members.resetLink': names('owner', (t) => ({ userId: t.memberId })),
  'members.remove': names('owner', (t) => ({ userId: t.memberId })),
  'pipelines.examples': lists('viewer'),
  'pipelines.list': lists('viewer', () => ({})),
  'pipelines.get': names('viewer', (t) => ({ id: t.pipelineId })),
  'pipelines.create': lists('editor', () => ({ name: 'new', document })),
  'pipelines.rename': names('editor', (t) => ({ id: t.pipelineId, name: 'renamed' })),
  'pipelines.duplicate': names('editor', (t) => ({ id: t.pipelineId })),
  'pipelines.versions': names('viewer', (t) => ({ id: t.pipelineId })),
  'pipelines.saveVersion': names('editor', (t) => ({ id: t.pipelineId, name: 'v' })),
  'pipelines.restoreVersion': names('editor', (t) => ({ id: t.pipelineId, versionId: t.versionId, revision: 1 })),
  'experiments.start': names('editor', (t) => ({ pipelineId: t.pipelineId })),
  'pipelines.save': names('editor', (t) => ({ id: t.pipelineId, revision: 1, document })),
  'experiments.list': lists('viewer', (t) => ({ pipelineId: t.pipelineId })),
  'experiments.get': names('viewer', (t) => ({ id: t.experimentId })),
  'experiments.trial': names('viewer', (t) => ({ id: t.trialId })),
  'experiments.seconds': names('viewer', (t) => ({ id: t.trialId })),
  'live.experiment': names('viewer', (t) => ({ experimentId: t.experimentId, lastEventId: '0' })),
  'live.team': lists('viewer'),
  'experiments.retryBlock': names('editor', (t) => ({ id: t.experimentId, block: 0 })),
  'experiments.cancel': names('editor', (t) => ({ id: t.experimentId })),
  'workers.list': lists('viewer'),
  'workers.tokens': lists('owner'),
  'workers.createToken': lists('owner', () => ({ name: 'w' })),
  'workers.revokeToken': names('owner', (t) => ({ id: t.workerTokenId })),
  'workers.revoke': names('owner', (t) => ({ id: t.workerId })),
  'tokens.list': lists('owner'),
  'tokens.create': lists('owner', () => ({ name: 'k' })),
  'tokens.revoke': names('owner', (t) => ({ id: t.apiKeyId })),
  'secrets.list': lists('viewer'),
  'secrets.set': lists('editor', () => ({ name: 'INFERLOOM_SECRET_KEY', value: 'mine' })),
  'secrets.remove': names('editor', (t) => ({ id: t.secretId })),
  'audit.list': lists('owner', () => ({})),
  'endpoints.measure': lists('editor', () => ({
    targets: [{ label: 'e', url: 'https://api.example.com/v1', model: 'm', apiKey: 'hush' }],
  })),
  // A private address: refused before any call goes out.
  'models.describe': lists('editor', () => ({ url: 'http://127.0.0.1/config.json' })),
  'exports.evidence': lists('viewer', (t) => ({ planHash: t.planHash })),
  'pipelines.remove': names('editor', (t) => ({ id: t.pipelineId })),
  'session.signOut': lists('viewer'),
};

/** The same for agents: `input` names the worker and attempt of the given team. */
export const WORKER_CASES: Record<string, (team: Furnished) => unknown> = {
  register: () => ({ protocolVersion: PROTOCOL_VERSION, name: 'w', agentVersion: '0.1.0', host: host() }),
  claim: (t) => ({ workerId: t.workerId }),
  heartbeat: (t) => ({ workerId: t.workerId, attemptId: t.attemptId }),
  append: (t) => ({ workerId: t.workerId, attemptId: t.attemptId, events: logs(t.trialId, 1) }),
  finish: (t) => ({
    workerId: t.workerId,
    attemptId: t.attemptId,
    trialId: t.trialId,
    lastAgentSeq: 0,
    digest: outcomeDigest(outcome()),
    outcome: outcome(),
  }),
};
