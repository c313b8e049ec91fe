import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendBatch } from '@/server/services/appends';
import { getExperiment } from '@/server/services/experiments';
import { heartbeat, sweepLeases } from '@/server/services/leases';
import type { Scope } from '@/server/services/scope';
import { logs, outcome } from '@/test/fixtures/experiment';
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

const expireLeases = () => runSql(database.url, `UPDATE "attempt" SET "leaseUntil" = now() - interval '1 second'`);

describe('a lease', () => {
  it('that runs out loses the attempt: the block is queued again, then fails with its cause', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const first = await claim(worker);
    await finish(worker, first, 0, outcome());
    expect(await sweepLeases()).toBe(0);
    await expireLeases();
    expect(await sweepLeases()).toBe(1);
    expect(await heartbeat(worker.scope, held(worker, first))).toMatchObject({
      answer: 'lost',
    });
    await expect(
      appendBatch(worker.scope, {
        ...held(worker, first),
        events: logs(trialOf(first, 1), 1),
      }),
    ).rejects.toMatchObject({ code: 'conflict', details: { problem: 'lost' } });
    const second = await claim(worker);
    expect(second.attempt).toBe(2);
    await expireLeases();
    expect(await sweepLeases()).toBe(1);
    const experiment = await getExperiment(team, experimentId);
    expect(experiment.state).toBe('failed');
    expect(experiment.blocks[0]).toMatchObject({ state: 'failed', cause: { code: 'lease-lost' } });
    expect(experiment.trials.map((t) => [t.state, t.superseded])).toEqual([
      ['succeeded', true],
      ['lost', true],
      ['lost', true],
      ['lost', true],
    ]);
  });

  it('is kept by a heartbeat, also one that comes late but before the sweep', async () => {
    await makeExperiment(team);
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await expireLeases();
    expect(await heartbeat(worker.scope, held(worker, block))).toMatchObject({
      answer: 'go-on',
    });
    expect(await sweepLeases()).toBe(0);
  });

  it('swept by two processes at once is lost once', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    await claim(worker);
    await expireLeases();
    const ended = await Promise.all([sweepLeases(), sweepLeases(), sweepLeases()]);
    expect(ended.reduce((a, b) => a + b)).toBe(1);
    expect((await getExperiment(team, experimentId)).trials.filter((t) => t.attempt === 2)).toHaveLength(2);
  });
});
