import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBlock } from '@/server/services/claims';
import { cancelExperiment, retryBlock } from '@/server/services/experiment-changes';
import { getExperiment } from '@/server/services/experiments';
import { heartbeat, sweepLeases } from '@/server/services/leases';
import type { Scope } from '@/server/services/scope';
import { failedOutcome, outcome } from '@/test/fixtures/experiment';
import { claim, finish, held } from '@/test/support/agent';
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

describe('a block', () => {
  it('succeeds when its trials do, and the experiment with its last block', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 2 });
    const worker = await makeWorker(team);
    for (let i = 0; i < 2; i++) {
      const block = await claim(worker);
      expect(block.blockIndex).toBe(i);
      for (const trial of [0, 1])
        expect(await finish(worker, block, trial, outcome())).toEqual({ accepted: true, missingFrom: null });
    }
    const experiment = await getExperiment(team, experimentId);
    expect(experiment.state).toBe('succeeded');
    expect(experiment.blocks.map((b) => b.state)).toEqual(['succeeded', 'succeeded']);
    expect(experiment.sentence).toBe(experiment.report?.sentence);
    expect(experiment.stamp).toBe('MEASURED');
  });

  it('is run again whole, once, when a trial fails; finished trials are superseded', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const first = await claim(worker);
    await finish(worker, first, 0, outcome());
    await finish(worker, first, 1, failedOutcome());
    const second = await claim(worker);
    expect(second.attempt).toBe(2);
    expect(second.trials.map((t) => t.arm)).toEqual(first.trials.map((t) => t.arm));
    await finish(worker, second, 0, failedOutcome());
    await finish(worker, second, 1, outcome());
    const experiment = await getExperiment(team, experimentId);
    expect(experiment.trials.map((t) => [t.attempt, t.state, t.superseded])).toEqual([
      [1, 'succeeded', true],
      [1, 'failed', true],
      [2, 'failed', false],
      [2, 'succeeded', false],
    ]);
    expect(experiment.blocks[0]).toMatchObject({ state: 'failed', attempt: 2, cause: { code: 'engine-died' } });
    expect(experiment.state).toBe('succeeded');
    expect(await claimBlock(worker.scope, worker.workerId)).toBeNull();
  });

  it('is broken off at once by a failure: open trials are cancelled and the attempt is lost to its worker', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await finish(worker, block, 0, failedOutcome());
    const { trials } = await getExperiment(team, experimentId);
    expect(trials.map((t) => [t.attempt, t.state])).toEqual([
      [1, 'failed'],
      [1, 'cancelled'],
      [2, 'queued'],
      [2, 'queued'],
    ]);
    expect(await heartbeat(worker.scope, held(worker, block))).toMatchObject({
      answer: 'lost',
    });
    await expect(finish(worker, block, 1, outcome())).rejects.toMatchObject({
      code: 'conflict',
      details: { problem: 'lost' },
    });
  });

  it('is run again when a trial is invalid, and stands the second time', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const invalid = outcome({ valid: false, reasons: ['the host was busy'] });
    await finish(worker, await claim(worker), 0, invalid);
    const second = await claim(worker);
    await finish(worker, second, 0, invalid);
    await finish(worker, second, 1, outcome());
    expect((await getExperiment(team, experimentId)).blocks[0]?.state).toBe('succeeded');
  });

  it('goes on past a failure that comes from the plan itself: running it again would repeat it', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await finish(worker, block, 0, failedOutcome('node-1'));
    await finish(worker, block, 1, outcome());
    const experiment = await getExperiment(team, experimentId);
    expect(experiment.blocks[0]).toMatchObject({ state: 'failed', attempt: 1, cause: { nodeId: 'node-1' } });
    expect(experiment.trials.every((t) => !t.superseded)).toBe(true);
  });

  it('that failed is queued once more by a person', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await finish(worker, block, 0, failedOutcome('node-1'));
    await finish(worker, block, 1, outcome());
    await retryBlock(team, { id: experimentId, block: 0 });
    const again = await claim(worker);
    expect(again.attempt).toBe(2);
    await finish(worker, again, 0, outcome());
    await finish(worker, again, 1, outcome());
    const experiment = await getExperiment(team, experimentId);
    expect([experiment.state, experiment.blocks[0]?.state]).toEqual(['succeeded', 'succeeded']);
    await expect(retryBlock(team, { id: experimentId, block: 0 })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('cancel', () => {
  it('ends queued blocks at once and running ones at the next heartbeat', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 2 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await cancelExperiment(team, experimentId);
    const before = await getExperiment(team, experimentId);
    expect([before.state, before.cancelRequested]).toEqual(['running', true]);
    expect(before.blocks.map((b) => b.state)).toEqual(['running', 'cancelled']);
    expect(await heartbeat(worker.scope, held(worker, block))).toMatchObject({
      answer: 'cancel',
    });
    const cancelled = outcome({ state: 'cancelled', valid: false, points: [] });
    for (const trial of [0, 1]) await finish(worker, block, trial, cancelled);
    expect((await getExperiment(team, experimentId)).state).toBe('cancelled');
    expect(await claimBlock(worker.scope, worker.workerId)).toBeNull();
  });

  it('ends the experiment when its worker never answers', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    await claim(await makeWorker(team));
    await cancelExperiment(team, experimentId);
    await expireLeases();
    await sweepLeases();
    expect((await getExperiment(team, experimentId)).state).toBe('cancelled');
  });

  it('of an experiment nobody claimed ends it at once, and twice is no error', async () => {
    const { experimentId } = await makeExperiment(team);
    await cancelExperiment(team, experimentId);
    await cancelExperiment(team, experimentId);
    const experiment = await getExperiment(team, experimentId);
    expect(experiment.state).toBe('cancelled');
    expect(experiment.trials.every((t) => t.state === 'cancelled')).toBe(true);
  });
});
