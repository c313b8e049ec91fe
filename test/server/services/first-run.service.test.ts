import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedDemo } from '@/prisma/seeds/demo';
import { systemDb } from '@/server/db/client';
import { ensureTeam } from '@/server/services/owner-link';
import { listPipelines, removePipeline } from '@/server/services/pipelines';
import { teamScope } from '@/server/services/scope';
import { ensureEmbeddedWorkerToken, findBearer } from '@/server/services/tokens';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());

it('makes one team, however many processes start together, and seeds it once', async () => {
  const teams = await Promise.all([ensureTeam(), ensureTeam(), ensureTeam()]);
  expect(new Set(teams.map((team) => team.id)).size).toBe(1);
  const teamId = teams[0]?.id ?? '';
  const scope = teamScope(teamId, { kind: 'system', id: null, name: 'test' });
  expect(await seedDemo(teamId)).toBeGreaterThan(0);
  expect(await seedDemo(teamId)).toBe(0);
  const { items } = await listPipelines(scope, { limit: 10 });
  for (const item of items) await removePipeline(scope, item.id);
  expect(await seedDemo(teamId)).toBe(0);
});

it('gives the embedded worker a new secret at each start, in the same row: its identity stays', async () => {
  const team = await ensureTeam();
  const first = await ensureEmbeddedWorkerToken(team.id);
  const second = await ensureEmbeddedWorkerToken(team.id);
  expect(await findBearer(first, 'worker')).toBeNull();
  expect(await findBearer(second, 'worker')).toMatchObject({ teamId: team.id });
  expect(await findBearer(second, 'api_key')).toBeNull();
  expect(await systemDb().token.count()).toBe(1);
});
