import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeDigest } from '@/server/core/run/outcome-digest';
import type { ClaimedBlock } from '@/server/core/run/protocol';
import type { TrialOutcome } from '@/server/core/run/trial';
import { appendBatch } from '@/server/services/appends';
import { claimBlock } from '@/server/services/claims';
import { cancelExperiment, retryBlock } from '@/server/services/experiment-changes';
import { getExperiment } from '@/server/services/experiments';
import { finishTrial } from '@/server/services/finishes';
import { heartbeat, sweepLeases } from '@/server/services/leases';
import type { Scope } from '@/server/services/scope';
import { setSecret } from '@/server/services/secrets';
import { agentEvents, failedOutcome, logs, outcome, plan } from '@/test/fixtures/experiment';
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

type Worker = Awaited<ReturnType<typeof makeWorker>>;

async function claim(worker: Worker): Promise<ClaimedBlock> {
  const claimed = await claimBlock(worker.scope, worker.workerId);
  if (!claimed) throw new Error('nothing to claim');
  return claimed;
}
const finish = (worker: Worker, block: ClaimedBlock, trial: number, result: TrialOutcome, lastAgentSeq = 0) =>
  finishTrial(worker.scope, {
    workerId: worker.workerId,
    attemptId: block.attemptId,
    trialId: block.trials[trial]?.trialId ?? '',
    lastAgentSeq,
    digest: outcomeDigest(result),
    outcome: result,
  });
const expireLeases = () => runSql(database.url, `UPDATE "attempt" SET "leaseUntil" = now() - interval '1 second'`);

describe('claim', () => {
  it('gives each block to one of many workers that ask at once', async () => {
    await makeExperiment(team, { blocks: 3 });
    const workers = await Promise.all(Array.from({ length: 6 }, (_, i) => makeWorker(team, `w${i}`)));
    const claimed = await Promise.all(workers.map((w) => claimBlock(w.scope, w.workerId)));
    const blocks = claimed.flatMap((c) => (c ? [c.blockIndex] : []));
    expect(new Set(blocks).size).toBe(blocks.length);
    // Whoever raced asks again; in the end all three are taken once.
    for (const worker of workers) {
      const again = await claimBlock(worker.scope, worker.workerId);
      if (again && !blocks.includes(again.blockIndex)) blocks.push(again.blockIndex);
    }
    expect(blocks.sort()).toEqual([0, 1, 2]);
  });

  it('gives an untouched block again to the worker that holds it, and no second one', async () => {
    await makeExperiment(team);
    const worker = await makeWorker(team);
    const first = await claim(worker);
    expect(await claim(worker)).toEqual(first);
    await appendBatch(worker.scope, {
      workerId: worker.workerId,
      attemptId: first.attemptId,
      events: logs(first.trials[0]?.trialId ?? '', 1),
    });
    expect(await claimBlock(worker.scope, worker.workerId)).toBeNull();
  });

  it('matches engine, GPUs and the hardware of the first block', async () => {
    await makeExperiment(team);
    const lacking = await makeWorker(team, 'no-engine', { engines: { vllm: { default: '1' } } });
    expect(await claimBlock(lacking.scope, lacking.workerId)).toBeNull();
    const first = await makeWorker(team, 'first');
    const other = await makeWorker(team, 'other', { fingerprint: 'host-b' });
    const same = await makeWorker(team, 'same');
    await claim(first);
    expect(await claimBlock(other.scope, other.workerId)).toBeNull();
    expect((await claim(same)).blockIndex).toBe(1);
  });

  it('wants as many GPUs as the largest plan', async () => {
    const [component] = plan().components;
    if (!component) throw new Error('no component');
    const hardware = { id: 'a100', kind: 'gpu', count: 2 } as const;
    await makeExperiment(team, { arms: [plan({ components: [{ ...component, hardware }] })] });
    const device = (id: string) => ({ id, name: 'A100', memoryBytes: 8e10, driver: null });
    const one = await makeWorker(team, 'one', { devices: [device('0')] });
    const two = await makeWorker(team, 'two', { devices: [device('0'), device('1')] });
    expect(await claimBlock(one.scope, one.workerId)).toBeNull();
    expect(await claimBlock(two.scope, two.workerId)).not.toBeNull();
  });

  it('delivers the secrets that plans name, and no others', async () => {
    await setSecret(team, { name: 'INFERLOOM_SECRET_KEY', value: 'hush' });
    await setSecret(team, { name: 'INFERLOOM_SECRET_OTHER', value: 'no' });
    const [component] = plan().components;
    if (!component) throw new Error('no component');
    const env = { API_KEY: '$INFERLOOM_SECRET_KEY' };
    await makeExperiment(team, { arms: [plan({ components: [{ ...component, env }] })] });
    const worker = await makeWorker(team);
    expect((await claim(worker)).secrets).toEqual({ INFERLOOM_SECRET_KEY: 'hush' });
  });

  it('refuses a worker of another token, an unknown one, and another team', async () => {
    await makeExperiment(team);
    const worker = await makeWorker(team);
    const stranger = await makeWorker(await makeTeam('other'));
    await expect(claimBlock(stranger.scope, worker.workerId)).rejects.toMatchObject({ code: 'not-found' });
    await expect(claimBlock(worker.scope, randomUUID())).rejects.toMatchObject({ code: 'not-found' });
    expect(await claimBlock(stranger.scope, stranger.workerId)).toBeNull();
  });
});

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
    expect(await heartbeat(worker.scope, { workerId: worker.workerId, attemptId: block.attemptId })).toMatchObject({
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

describe('a lease', () => {
  it('that runs out loses the attempt: the block is queued again, then fails with its cause', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const first = await claim(worker);
    await finish(worker, first, 0, outcome());
    expect(await sweepLeases()).toBe(0);
    await expireLeases();
    expect(await sweepLeases()).toBe(1);
    expect(await heartbeat(worker.scope, { workerId: worker.workerId, attemptId: first.attemptId })).toMatchObject({
      answer: 'lost',
    });
    await expect(
      appendBatch(worker.scope, {
        workerId: worker.workerId,
        attemptId: first.attemptId,
        events: logs(first.trials[1]?.trialId ?? '', 1),
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
    expect(await heartbeat(worker.scope, { workerId: worker.workerId, attemptId: block.attemptId })).toMatchObject({
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

describe('cancel', () => {
  it('ends queued blocks at once and running ones at the next heartbeat', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 2 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    await cancelExperiment(team, experimentId);
    const before = await getExperiment(team, experimentId);
    expect([before.state, before.cancelRequested]).toEqual(['running', true]);
    expect(before.blocks.map((b) => b.state)).toEqual(['running', 'cancelled']);
    expect(await heartbeat(worker.scope, { workerId: worker.workerId, attemptId: block.attemptId })).toMatchObject({
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

describe('append and finish', () => {
  it('drop repeated events, answer the gap-free number, and refuse a finish while one is missing', async () => {
    const { experimentId } = await makeExperiment(team, { blocks: 1 });
    const worker = await makeWorker(team);
    const block = await claim(worker);
    const trialId = block.trials[0]?.trialId ?? '';
    const send = (events: ReturnType<typeof logs>) =>
      appendBatch(worker.scope, { workerId: worker.workerId, attemptId: block.attemptId, events });
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
        workerId: worker.workerId,
        attemptId: block.attemptId,
        trialId: block.trials[1]?.trialId ?? '',
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
    const trialId = block.trials[0]?.trialId ?? '';
    const events = agentEvents(trialId, [
      { kind: 'log', lines: ['nul \u0000 and half \ud800 a pair'] },
      { kind: 'records', workload: 'chat', loadIndex: 0, blob: Buffer.from('columns').toString('base64') },
      { kind: 'phase', phase: 'measuring', detail: null },
    ]);
    await appendBatch(worker.scope, { workerId: worker.workerId, attemptId: block.attemptId, events });
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
        workerId: a.workerId,
        attemptId: mine.attemptId,
        events: logs(theirs.trials[0]?.trialId ?? '', 1),
      }),
    ).rejects.toMatchObject({ code: 'bad-request' });
    await expect(
      appendBatch(a.scope, {
        workerId: a.workerId,
        attemptId: theirs.attemptId,
        events: logs(theirs.trials[0]?.trialId ?? '', 1),
      }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
