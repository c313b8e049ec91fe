import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomeDigest } from '@/server/core/run/outcome-digest';
import { PROTOCOL_VERSION } from '@/server/core/run/protocol';
import { getExperiment } from '@/server/services/experiments';
import type { Scope } from '@/server/services/scope';
import { createToken, revokeToken } from '@/server/services/tokens';
import { host, logs, outcome } from '@/test/fixtures/experiment';
import { serveApi } from '@/test/support/api-server';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeExperiment, makeTeam } from '@/test/support/team';
import { createWorkerClient } from '@/workers/agent/worker-client';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveApi>>;
let url: string;
let team: Scope;

beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeTeam();
  server = await serveApi();
  url = server.url;
});
afterAll(async () => {
  server?.close();
  await database?.drop();
});

const registration = { protocolVersion: PROTOCOL_VERSION, name: 'agent', agentVersion: '0.1.0', host: host() };
const newToken = () => createToken(team, { kind: 'worker', name: 'w', role: null, expiresInDays: null });

describe("the agent's own client over HTTP", () => {
  it('registers, claims, appends, finishes and hears that an attempt is lost', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const api = createWorkerClient(url, (await newToken()).token);
    const { workerId, heartbeatMs, leaseMs } = await api.register(registration);
    expect(heartbeatMs * 2).toBeLessThan(leaseMs);
    const block = await api.claim({ workerId });
    if (!block) throw new Error('nothing to claim');
    const { attemptId } = block;
    expect(await api.heartbeat({ workerId, attemptId })).toMatchObject({ answer: 'go-on' });
    let sent = 0;
    for (const { trialId } of block.trials) {
      expect(await api.append({ workerId, attemptId, events: logs(trialId, 3, sent + 1) })).toEqual({
        lastAgentSeq: sent + 3,
      });
      sent += 3;
      const ended = { workerId, attemptId, trialId, digest: outcomeDigest(outcome()), outcome: outcome() };
      expect(await api.finish({ ...ended, lastAgentSeq: sent + 1 })).toEqual({
        accepted: false,
        missingFrom: sent + 1,
      });
      expect(await api.finish({ ...ended, lastAgentSeq: sent })).toEqual({ accepted: true, missingFrom: null });
      expect(await api.finish({ ...ended, lastAgentSeq: sent })).toEqual({ accepted: true, missingFrom: null });
    }
    expect((await getExperiment(team, experimentId)).state).toBe('succeeded');
    const trialId = block.trials[0]?.trialId ?? '';
    await expect(api.append({ workerId, attemptId, events: logs(trialId, 1, sent + 1) })).rejects.toMatchObject({
      problem: 'lost',
    });
    expect(await api.heartbeat({ workerId, attemptId })).toMatchObject({ answer: 'lost' });
    expect(await api.claim({ workerId })).toBeNull();
  });

  it('says when it has to register, when versions differ, and when its token ended', async () => {
    const token = await newToken();
    const api = createWorkerClient(url, token.token);
    const unknown = { workerId: '00000000-0000-4000-8000-000000000000' };
    await expect(api.claim(unknown)).rejects.toMatchObject({ problem: 'register' });
    await expect(api.register({ ...registration, protocolVersion: 99 })).rejects.toMatchObject({ problem: 'protocol' });
    await revokeToken(team, token.id, 'worker');
    await expect(api.register(registration)).rejects.toMatchObject({ problem: 'refused' });
  });
});
