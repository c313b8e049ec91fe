import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StreamEvent } from '@/server/core/run/stream';
import { appendBatch } from '@/server/services/appends';
import { claimBlock } from '@/server/services/claims';
import { appendEvents, type NewEvent, readEvents } from '@/server/services/events';
import { closeLive, liveCounts, watchExperiment, watchTeam } from '@/server/services/live';
import type { Nudge } from '@/server/services/nudges';
import { createPipeline } from '@/server/services/pipelines';
import { shrinkStreams } from '@/server/services/retention';
import type { Scope } from '@/server/services/scope';
import { logs } from '@/test/fixtures/experiment';
import { openTestDatabase, runSql, type TestDatabase } from '@/test/support/database';
import { makeExperiment, makeTeam, makeWorker } from '@/test/support/team';

let database: TestDatabase;
let team: Scope;
let experimentId: string;
let streamId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await closeLive();
  await database?.drop();
});
beforeEach(async () => {
  team = await makeTeam();
  ({ experimentId } = await makeExperiment(team, { blocks: 1 }));
  streamId = (await team.db.stream.findFirstOrThrow({ where: { experimentId } })).id;
});

const line = (text: string): NewEvent => ({ trialId: null, body: { kind: 'log', lines: [text] } });
const append = (count: number, text = 'line') =>
  team.db.$transaction((tx) =>
    appendEvents(
      tx,
      team.teamId,
      experimentId,
      Array.from({ length: count }, () => line(text)),
    ),
  );
const head = async () => (await team.db.stream.findFirstOrThrow({ where: { experimentId } })).seq;
const seqsOf = (events: readonly StreamEvent[]) => events.map((event) => event.seq);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Follows the experiment until it has seen number `last`. */
async function follow(after: number, last: number): Promise<number[]> {
  const controller = new AbortController();
  const seen: number[] = [];
  for await (const message of watchExperiment(team, experimentId, after, controller.signal)) {
    if (message.type === 'reset') throw new Error('reset');
    seen.push(...seqsOf(message.events));
    if ((seen.at(-1) ?? 0) >= last) break;
  }
  return seen;
}

describe('the stream of an experiment', () => {
  it('loses nothing when two appends commit in reverse order of their start', async () => {
    const start = await head();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reserved: () => void = () => {};
    const hasNumbers = new Promise<void>((resolve) => {
      reserved = resolve;
    });
    const first = team.db.$transaction(async (tx) => {
      await appendEvents(tx, team.teamId, experimentId, [line('early'), line('early')]);
      reserved();
      await held;
    });
    await hasNumbers;
    let secondDone = false;
    const second = append(3, 'late').then(() => {
      secondDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    // The second began later and is ready, yet a reader can't see it before the first: its cursor skips nothing.
    expect(secondDone).toBe(false);
    expect(await readEvents(team.db, team.teamId, streamId, start, 100)).toEqual([]);
    release();
    await Promise.all([first, second]);
    const events = await readEvents(team.db, team.teamId, streamId, start, 100);
    expect(seqsOf(events)).toEqual(range(start + 1, start + 5));
    expect(events.map((event) => event.body.kind === 'log' && event.body.lines[0])).toEqual([
      'early',
      'early',
      'late',
      'late',
      'late',
    ]);
  });

  it('leaves no gap where an append is rolled back', async () => {
    const start = await head();
    const failing = team.db.$transaction(async (tx) => {
      await appendEvents(tx, team.teamId, experimentId, [line('gone')]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await append(2);
    expect(seqsOf(await readEvents(team.db, team.teamId, streamId, start, 10))).toEqual([start + 1, start + 2]);
  });

  it('reaches eight subscribers, from wherever each resumes, through one reader', async () => {
    await append(700);
    const start = await head();
    const last = start + 40;
    const eight = [0, 0, 1, 10, 500, start - 1, start, start].map((after) => ({ after, seen: follow(after, last) }));
    const writers = Array.from({ length: 8 }, () => append(5));
    await Promise.all(writers);
    for (const { after, seen } of eight) expect(await seen).toEqual(range(after + 1, last));
    expect(liveCounts()).toEqual({ readers: 0, subscribers: 0 });
  });

  it('goes on without a gap after the database cut the connection that listens', async () => {
    const start = await head();
    const seen = follow(start, start + 6);
    await append(2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await runSql(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`,
    );
    await append(2);
    await append(2);
    expect(await seen).toEqual(range(start + 1, start + 6));
  });

  it('carries what an agent appends', async () => {
    const worker = await makeWorker(team);
    const block = await claimBlock(worker.scope, worker.workerId);
    if (!block) throw new Error('nothing to claim');
    const start = await head();
    const seen = follow(start, start + 3);
    await appendBatch(worker.scope, {
      workerId: worker.workerId,
      attemptId: block.attemptId,
      events: logs(block.trials[0]?.trialId ?? '', 3),
    });
    expect(await seen).toEqual(range(start + 1, start + 3));
  });

  it('is shortened a while after its end; a client from before is told to fetch again', async () => {
    await append(5);
    await runSql(
      database.url,
      `UPDATE "experiment" SET "state" = 'succeeded', "finishedAt" = now() - interval '1 hour'`,
    );
    expect(await shrinkStreams()).toBeGreaterThan(0);
    const kinds = new Set((await readEvents(team.db, team.teamId, streamId, 0, 1_000)).map((event) => event.body.kind));
    expect(kinds).toEqual(new Set(['experiment', 'trial']));
    const watch = watchExperiment(team, experimentId, (await head()) - 2, new AbortController().signal);
    expect((await watch.next()).value).toEqual({ type: 'reset', lastSeq: await head() });
    await watch.return(undefined);
    expect(await shrinkStreams()).toBe(0);
  });

  it('of another team does not exist', async () => {
    const other = await makeTeam('other');
    const watch = watchExperiment(other, experimentId, 0, new AbortController().signal);
    await expect(watch.next()).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('nudges of a team', () => {
  it('reach the team and no other', async () => {
    const other = await makeTeam('other');
    const controller = new AbortController();
    const got: Record<string, Nudge[]> = { mine: [], theirs: [] };
    const watch = async (scope: Scope, name: 'mine' | 'theirs') => {
      for await (const nudge of watchTeam(scope, controller.signal)) {
        // The listener's own start makes every topic stale once; ids belong to changes.
        if (nudge.id !== null) got[name]?.push(nudge);
      }
    };
    const watching = [watch(team, 'mine'), watch(other, 'theirs')];
    await new Promise((resolve) => setTimeout(resolve, 300));
    const pipeline = await createPipeline(team, { name: 'p', document: { version: 1, nodes: [], edges: [] } });
    for (let i = 0; i < 50 && got.mine?.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    await Promise.all(watching);
    expect(got).toEqual({ mine: [{ topic: 'pipelines', id: pipeline.id }], theirs: [] });
  });
});
