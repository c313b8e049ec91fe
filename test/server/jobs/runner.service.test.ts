import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs } from '@/server/jobs/runner';
import { openTestDatabase, runSql, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());

const counting = () => {
  const job = { name: 'count', everyMs: 0, runs: 0, run: async () => (job.runs += 1) };
  return job;
};
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !condition(); i++) await wait(100);
  expect(condition()).toBe(true);
}

describe('jobs', () => {
  it('run in one of two processes, and in the other once the first has stopped', async () => {
    const [a, b] = [counting(), counting()];
    const first = startJobs([a]);
    await until(() => a.runs > 0);
    const second = startJobs([b]);
    const before = a.runs;
    await until(() => a.runs > before + 1);
    expect(b.runs).toBe(0);
    await first.stop();
    await until(() => b.runs > 0);
    const after = a.runs;
    await second.stop();
    expect(a.runs).toBe(after);
  });

  it('go on after a job that throws, and after the database cut their connection', async () => {
    const good = counting();
    const bad = { name: 'bad', everyMs: 0, run: () => Promise.reject(new Error('bad job')) };
    const jobs = startJobs([bad, good]);
    await until(() => good.runs > 0);
    await runSql(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()`,
    );
    const before = good.runs;
    await until(() => good.runs > before + 1);
    await jobs.stop();
  });
});
