import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeDigest } from '@/server/core/run/outcome-digest';
import { appendBatch } from '@/server/services/appends';
import { getExperiment } from '@/server/services/experiments';
import { finishTrial } from '@/server/services/finishes';
import type { Scope } from '@/server/services/scope';
import { agentEvents, logs, outcome } from '@/test/fixtures/experiment';
import { claim, finish, held, trialOf } from '@/test/support/agent';
import { openTestDatabase, runSql, type TestDatabase } from '@/test/support/database';
import { makeExperiment, makeTeam, makeWorker } from '@/test/support/team';

let database: TestDatabase;
let team: Scope;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  team = await makeTeam();
});
afterEach(() => runSql(database.url, 'TRUNCATE "team" CASCADE'));

describe('append and finish', () => {
  it('drop repeated events, answer the gap-free number, and refuse a finish while one is missing', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    const trialId = trialOf(block, 0);
    const send = (events: ReturnType<typeof logs>) => appendBatch(worker.scope, { ...held(worker, block), events });
    expect(await send(logs(trialId, 3))).toEqual({ lastAgentSeq: 3 });
    expect(await send(logs(trialId, 3))).toEqual({ lastAgentSeq: 3 });
    expect(await send(logs(trialId, 2, 6))).toEqual({ lastAgentSeq: 3 });
    expect(await finish(worker, block, 0, outcome(), 7)).toEqual({ accepted: false, missingFrom: 4 });
    expect(await send(logs(trialId, 4, 4))).toEqual({ lastAgentSeq: 7 });
    expect(await finish(worker, block, 0, outcome(), 7)).toEqual({ accepted: true, missingFrom: null });
    const events = await team.db.event.findMany({
      where: { trialId, agentSeq: { not: null } },
      orderBy: { seq: 'asc' },
    });
    expect(events.map((e) => e.agentSeq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await getExperiment(team, experimentId)).trials[0]?.state).toBe('succeeded');
  });

  it('change nothing when a finish is replayed, and refuse another outcome', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await finish(worker, block, 0, outcome());
    await finish(worker, block, 1, outcome());
    const everything = async () =>
      JSON.stringify([
        await team.db.trial.findMany({ orderBy: { id: 'asc' } }),
        await team.db.event.findMany({ orderBy: { seq: 'asc' } }),
        await team.db.point.findMany({ orderBy: { id: 'asc' } }),
        await team.db.block.findMany(),
        await team.db.attempt.findMany(),
        (await team.db.experiment.findMany()).map(({ seed, ...row }) => row),
      ]);
    const before = await everything();
    expect(await finish(worker, block, 0, outcome())).toEqual({ accepted: true, missingFrom: null });
    expect(await everything()).toBe(before);
    await expect(finish(worker, block, 0, outcome({ engineStartMs: 1 }))).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      finishTrial(worker.scope, {
        ...held(worker, block),
        trialId: trialOf(block, 1),
        lastAgentSeq: 0,
        digest: outcomeDigest(outcome()),
        outcome: outcome({ engineStartMs: 1 }),
      }),
    ).rejects.toMatchObject({ code: 'bad-request' });
    expect((await getExperiment(team, experimentId)).state).toBe('succeeded');
  });

  it('keep what the database cannot hold out of an event, and records out of the stream', async () => {
    await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    const trialId = trialOf(block, 0);
    const events = agentEvents(trialId, [
      { kind: 'log', lines: ['nul \u0000 and half \ud800 a pair'] },
      { kind: 'records', workload: 'chat', loadIndex: 0, blob: Buffer.from('columns').toString('base64') },
      { kind: 'phase', phase: 'measuring', detail: null },
    ]);
    await appendBatch(worker.scope, { ...held(worker, block), events });
    const stored = await team.db.event.findMany({
      where: { trialId, agentSeq: { not: null } },
      orderBy: { seq: 'asc' },
    });
    expect(stored.map((e) => e.agentSeq)).toEqual([1, 3]);
    expect(stored[0]?.body).toEqual({ kind: 'log', lines: ['nul  and half \ufffd a pair'] });
    const [kept] = await team.db.point.findMany({ where: { trialId } });
    expect(Buffer.from(kept?.records ?? []).toString()).toBe('columns');
    expect((await team.db.trial.findFirstOrThrow({ where: { id: trialId } })).state).toBe('measuring');
  });

  it('refuse an event that names a trial of another attempt', async () => {
    await makeExperiment(team, { blocks: 2 });
    const [a, b] = [await makeWorker(team, 'a'), await makeWorker(team, 'b')];
    const [mine, theirs] = [await claim(a), await claim(b)];
    await expect(
      appendBatch(a.scope, {
        ...held(a, mine),
        events: logs(trialOf(theirs, 0), 1),
      }),
    ).rejects.toMatchObject({ code: 'bad-request' });
    await expect(
      appendBatch(a.scope, {
        ...held(a, theirs),
        events: logs(trialOf(theirs, 0), 1),
      }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
