import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/server/db/client';
import { teamDb } from '@/server/db/team-db';
import { openTestDatabase, runSql, type TestDatabase } from '@/test/support/database';
import { makeTeam } from '@/test/support/team';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());

it('goes on after the database cut every connection', async () => {
  await Promise.all(Array.from({ length: 5 }, () => systemDb().team.count()));
  await runSql(
    database.url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await systemDb().team.count()).toBe(0);
});

it("a team's database sees, changes and writes its own rows only", async () => {
  const [mine, theirs] = [await makeTeam('mine'), await makeTeam('theirs')];
  const document = { version: 1, nodes: [], edges: [] };
  const row = await theirs.db.pipeline.create({ data: { teamId: theirs.teamId, name: 'p', document } });
  const where = { id: row.id };
  const { db } = mine;
  expect(await db.pipeline.findMany()).toEqual([]);
  expect(await db.pipeline.findUnique({ where })).toBeNull();
  expect(await db.pipeline.findFirst({ where })).toBeNull();
  expect(await db.pipeline.count()).toBe(0);
  expect(await db.pipeline.aggregate({ _count: true })).toEqual({ _count: 0 });
  expect((await db.pipeline.updateMany({ where, data: { name: 'x' } })).count).toBe(0);
  expect((await db.pipeline.deleteMany({ where })).count).toBe(0);
  await expect(db.pipeline.update({ where, data: { name: 'x' } })).rejects.toThrow();
  await expect(db.pipeline.delete({ where })).rejects.toThrow();
  await expect(db.pipeline.create({ data: { teamId: theirs.teamId, name: 'p', document } })).rejects.toThrow(/scope/);
  await expect(
    db.$transaction((tx) => tx.pipeline.createMany({ data: [{ teamId: theirs.teamId, name: 'p', document }] })),
  ).rejects.toThrow(/scope/);
  expect(await db.$transaction((tx) => tx.pipeline.findMany())).toEqual([]);
  expect((await theirs.db.pipeline.findMany()).map((pipeline) => pipeline.name)).toEqual(['p']);
});

it("a child row cannot point at another team's parent", async () => {
  const [mine, theirs] = [await makeTeam('mine'), await makeTeam('theirs')];
  const document = { version: 1, nodes: [], edges: [] };
  const parent = await theirs.db.pipeline.create({ data: { teamId: theirs.teamId, name: 'p', document } });
  const version = { teamId: mine.teamId, pipelineId: parent.id, number: 1, document };
  await expect(teamDb(mine.teamId).pipelineVersion.create({ data: version })).rejects.toThrow(/[Ff]oreign key/);
});
