import { TRPCError } from '@trpc/server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiContext, Caller } from '@/server/api/context';
import { appRouter } from '@/server/api/router';
import { createCaller, type Role } from '@/server/api/trpc';
import { workerRouter } from '@/server/api/worker/router';
import { closeLive } from '@/server/services/live';
import type { WorkerScope } from '@/server/services/worker-sessions';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { type Furnished, furnishTeam } from '@/test/support/two-teams';
import { API_CASES, WORKER_CASES } from './cases';

let database: TestDatabase;
let mine: Furnished;
let theirs: Furnished;

beforeAll(async () => {
  database = await openTestDatabase();
  mine = await furnishTeam('mine');
  theirs = await furnishTeam('theirs');
});
afterAll(async () => {
  await closeLive();
  await database?.drop();
});

const callerOf = (team: Furnished, role: Role): Caller => ({
  actor: { kind: 'user', id: 'user', name: 'Somebody' },
  role,
  team: { id: team.scope.teamId, name: 'Team' },
  user: { id: 'user', name: 'Somebody', email: 'somebody@example.com' },
});

/** Calls a procedure by its path; of a subscription the first message, or null where none comes soon. */
async function call(path: string, caller: Caller | null, input: unknown): Promise<unknown> {
  const context: ApiContext = { caller, headers: new Headers(), responseHeaders: new Headers() };
  let procedure: unknown = createCaller(appRouter)(context);
  for (const part of path.split('.')) procedure = (procedure as Record<string, unknown>)[part];
  const answer = await (procedure as (value: unknown) => Promise<unknown>)(input);
  if (!isIterable(answer)) return answer;
  const iterator = answer[Symbol.asyncIterator]();
  const silence = new Promise<null>((resolve) => setTimeout(() => resolve(null), 300));
  const first = await Promise.race([iterator.next().then((step) => step.value), silence]);
  void iterator.return?.(undefined);
  return first;
}
const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'OK';
  } catch (error) {
    if (error instanceof TRPCError) return error.code;
    throw error;
  }
}

/** Every row of a team, to see that nothing was changed. */
async function rowsOf(teamId: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'teamId' ORDER BY 1`,
  );
  const all: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query(`SELECT t::text AS row FROM "${name}" t WHERE "teamId" = $1 ORDER BY 1`, [
      teamId,
    ]);
    all.push(`${name}: ${JSON.stringify(rows)}`);
  }
  await client.end();
  return all.join('\n');
}

describe('procedures for people', () => {
  it('each have a case here', () => {
    expect(Object.keys(appRouter._def.procedures).sort()).toEqual(Object.keys(API_CASES).sort());
  });

  const cases = Object.entries(API_CASES);

  it.each(cases)('%s refuses who is signed out', async (path, { input }) => {
    expect(await codeOf(call(path, null, input(mine)))).toBe('UNAUTHORIZED');
  });

  it.each(cases.filter(([, { least }]) => least !== 'viewer'))('%s refuses a viewer', async (path, { input }) => {
    const before = await rowsOf(mine.scope.teamId);
    expect(await codeOf(call(path, callerOf(mine, 'viewer'), input(mine)))).toBe('FORBIDDEN');
    expect(await rowsOf(mine.scope.teamId)).toBe(before);
  });

  it.each(cases.filter(([, { least }]) => least === 'owner'))('%s refuses an editor', async (path, { input }) => {
    expect(await codeOf(call(path, callerOf(mine, 'editor'), input(mine)))).toBe('FORBIDDEN');
  });

  it.each(cases)("%s neither shows nor changes another team's rows", async (path, { input, foreign }) => {
    const before = await rowsOf(theirs.scope.teamId);
    const answer = call(path, callerOf(mine, 'owner'), input(theirs));
    if (foreign === 'refused') expect(await codeOf(answer)).toBe('NOT_FOUND');
    else
      expect(JSON.stringify(await answer, (_, v) => (typeof v === 'bigint' ? String(v) : v)) ?? '').not.toContain(
        'theirs',
      );
    expect(await rowsOf(theirs.scope.teamId)).toBe(before);
  });

  // Last: some of these end what they name.
  it.each(cases)('%s serves its least role', async (path, { least, input }) => {
    const allowed =
      path === 'experiments.retryBlock' || path === 'pipelines.restoreVersion' ? ['OK', 'CONFLICT'] : ['OK'];
    expect(allowed).toContain(await codeOf(call(path, callerOf(mine, least), input(mine))));
  });
});

describe('procedures for agents', () => {
  const cases = Object.entries(WORKER_CASES);
  const callWorker = (name: string, scope: WorkerScope | null, input: unknown) => {
    const caller = workerRouter.createCaller({ scope, responseHeaders: new Headers() });
    return (
      (caller as unknown as Record<string, (value: unknown) => Promise<unknown>>)[name]?.(input) ?? Promise.reject(name)
    );
  };

  it('each have a case here', () => {
    expect(Object.keys(workerRouter._def.procedures).sort()).toEqual(Object.keys(WORKER_CASES).sort());
  });

  it.each(cases)('%s refuses who has no worker token', async (name, input) => {
    expect(await codeOf(callWorker(name, null, input(theirs)))).toBe('UNAUTHORIZED');
  });

  it.each(cases.filter(([name]) => name !== 'register'))(
    "%s refuses another team's worker and attempt",
    async (name, input) => {
      const before = await rowsOf(theirs.scope.teamId);
      expect(await codeOf(callWorker(name, mine.workerScope, input(theirs)))).toBe('NOT_FOUND');
      expect(await rowsOf(theirs.scope.teamId)).toBe(before);
    },
  );

  it('register refuses a protocol that this server does not speak', async () => {
    const input = { ...(WORKER_CASES.register?.(theirs) as object), protocolVersion: 99 };
    expect(await codeOf(callWorker('register', theirs.workerScope, input))).toBe('BAD_REQUEST');
  });

  it.each(cases)('%s serves the worker itself', async (name, input) => {
    expect(await codeOf(callWorker(name, theirs.workerScope, input(theirs)))).toBe('OK');
  });
});
