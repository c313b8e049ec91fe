import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEventBody } from '@/server/core/run/protocol';
import { openSpool } from '@/workers/agent/spool';
import { aFailedOutcome } from './fixtures';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-spool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const phase: AgentEventBody = { kind: 'phase', phase: 'warming', detail: null };
const log = (text: string): AgentEventBody => ({ kind: 'log', lines: [text] });

describe('Spool', () => {
  it('shows an event for sending only once it is on the disk', async () => {
    const spool = await openSpool(folder);
    spool.add('t1', 5, phase);
    expect(spool.durableAfter(0, 1e6)).toEqual([]);
    await spool.flush();
    expect(spool.durableAfter(0, 1e6)).toEqual([{ agentSeq: 1, trialId: 't1', atMs: 5, body: phase }]);
    expect(await readFile(path.join(folder, 't1', 'events.jsonl'), 'utf8')).toContain('"agentSeq":1');
    await spool.close();
  });

  it('numbers across trials and gives all back to the next process, in order', async () => {
    const first = await openSpool(folder);
    for (const trial of ['t1', 't1', 't2', 't1']) first.add(trial, 0, phase);
    await first.saveFinish({ trialId: 't1', lastAgentSeq: 4, digest: 'd', outcome: aFailedOutcome });
    await first.flush();
    await first.close();

    const second = await openSpool(folder);
    expect(second.lastSeq()).toBe(4);
    expect(second.durableAfter(1, 1e6).map((e) => [e.agentSeq, e.trialId])).toEqual([
      [2, 't1'],
      [3, 't2'],
      [4, 't1'],
    ]);
    expect(second.openFinishes().map((f) => f.trialId)).toEqual(['t1']);
    await second.markFinished('t1');
    second.add('t2', 0, phase);
    await second.flush();
    await second.close();

    const third = await openSpool(folder);
    expect(third.openFinishes()).toEqual([]);
    expect(third.lastSeq()).toBe(5);
    await third.close();
  });

  it('cuts a torn last line off and goes on after it', async () => {
    const first = await openSpool(folder);
    first.add('t1', 0, phase);
    await first.flush();
    await first.close();
    await appendFile(path.join(folder, 't1', 'events.jsonl'), '{"agentSeq":2,"trialId":"t1","at');

    const second = await openSpool(folder);
    expect(second.lastSeq()).toBe(1);
    second.add('t1', 1, log('after'));
    await second.flush();
    await second.close();
    const third = await openSpool(folder);
    expect(third.durableAfter(0, 1e6).map((e) => e.body)).toEqual([phase, log('after')]);
    await third.close();
  });

  it('is bounded: drops what can be missed without leaving a gap, never a phase', async () => {
    const spool = await openSpool(folder, 2000);
    for (let i = 0; i < 50; i++) spool.add('t1', 0, log('x'.repeat(100)));
    expect(spool.dropped()).toBeGreaterThan(30);
    const before = spool.lastSeq();
    expect(spool.add('t1', 0, phase)?.agentSeq).toBe(before + 1);
    await spool.flush();
    const numbers = spool.durableAfter(0, 1e6).map((e) => e.agentSeq);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    await spool.close();
  });

  it('refuses an event that no batch could carry', async () => {
    const spool = await openSpool(folder);
    expect(spool.add('t1', 0, log('x'.repeat(1024 * 1024)))).toBeNull();
    expect(spool.lastSeq()).toBe(0);
    await spool.close();
  });

  it('fills a batch up to the limit and always gives at least one', async () => {
    const spool = await openSpool(folder);
    for (let i = 0; i < 10; i++) spool.add('t1', 0, log('x'.repeat(1000)));
    await spool.flush();
    expect(spool.durableAfter(0, 4096 + 3500)).toHaveLength(3);
    expect(spool.durableAfter(0, 1)).toHaveLength(1);
    spool.acknowledge(8);
    expect(spool.durableAfter(0, 1e6).map((e) => e.agentSeq)).toEqual([9, 10]);
    await spool.close();
  });

  it('refuses an id that would leave its folder', async () => {
    const spool = await openSpool(folder);
    spool.add('../evil', 0, phase);
    await expect(spool.flush()).rejects.toThrow(/not an id/);
  });
});
