import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendBatch } from '@/server/services/appends';
import { claimBlock } from '@/server/services/claims';
import type { Scope } from '@/server/services/scope';
import { setSecret } from '@/server/services/secrets';
import { logs, plan } from '@/test/fixtures/experiment';
import { claim, held, trialOf } from '@/test/support/agent';
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
      ...held(worker, first),
      events: logs(trialOf(first, 0), 1),
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
