import superjson from 'superjson';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handleApi } from '@/server/api/handlers';
import { handleJoin, handleReset } from '@/server/auth/link-routes';
import { handleAuth } from '@/server/auth/routes';
import { systemDb } from '@/server/db/client';
import { inviteMember, listInvitations, withdrawInvitation } from '@/server/services/invitations';
import { listMembers, removeMember } from '@/server/services/members';
import { createResetLink } from '@/server/services/password-resets';
import type { Scope } from '@/server/services/scope';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeTeam } from '@/test/support/team';
import { makeMember } from '@/test/support/two-teams';

const ORIGIN = 'http://localhost:3000';
const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let scope: Scope;
let address = 0;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  scope = await makeTeam('Team');
  await makeMember(scope, 'Ada', 'owner');
});

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  const text = JSON.stringify(body);
  address++;
  return new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    body: text,
    headers: {
      host: 'localhost:3000',
      origin: ORIGIN,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'x-inferloom-client-ip': `10.1.0.${address}`,
      ...headers,
    },
  });
}
const tokenOf = ({ path }: { path: string }): string => path.split('/').at(-1) ?? '';
const person = (name: string) => ({ name, email: `${name}@Example.com`, password: PASSWORD });
const join = (token: string, who: ReturnType<typeof person>) => handleJoin(post('/api/join', { token, ...who }));
const invite = async (role: 'viewer' | 'editor' | 'owner' = 'viewer') => tokenOf(await inviteMember(scope, { role }));
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
const whoAmI = (cookie: string) =>
  handleApi(new Request(`${ORIGIN}/api/trpc/me.get`, { headers: { host: 'localhost:3000', cookie } }));
const signIn = (email: string, password: string) => handleAuth(post('/api/auth/sign-in/email', { email, password }));
const names = async () => (await listMembers(scope)).map((m) => `${m.name} ${m.role}`);
const lastAudit = () => scope.db.auditEntry.findFirst({ orderBy: { id: 'desc' } });

describe('an invitation', () => {
  it('makes one member with its role and a session, once', async () => {
    const token = await invite();
    const both = await Promise.all([join(token, person('bob')), join(token, person('eve'))]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 410]);
    expect(await names()).toHaveLength(2);
    const winner = both.find((r) => r.status === 200) as Response;
    const { result } = (await (await whoAmI(cookiesOf(winner))).json()) as { result: { data: never } };
    expect(superjson.deserialize(result.data)).toMatchObject({ role: 'viewer', team: { name: 'Team' } });
    expect((await join(token, person('mallory'))).status).toBe(410);
    expect(await lastAudit()).toMatchObject({ action: 'member.join', actorKind: 'user' });
    expect(await listInvitations(scope)).toEqual([]);
  });

  it('is refused when it is unknown, over, withdrawn, or a link of another kind', async () => {
    expect((await join('guess', person('carl'))).status).toBe(410);
    const over = await inviteMember(scope, { role: 'owner' });
    await systemDb().oneTimeLink.update({ where: { id: over.id }, data: { expiresAt: new Date(0) } });
    expect((await join(tokenOf(over), person('carl'))).status).toBe(410);
    const withdrawn = await inviteMember(scope, { role: 'owner' });
    await withdrawInvitation(scope, withdrawn.id);
    expect((await join(tokenOf(withdrawn), person('carl'))).status).toBe(410);
    const viewer = await makeMember(scope, 'Viv', 'viewer');
    expect((await join(tokenOf(await createResetLink(scope, viewer)), person('carl'))).status).toBe(410);
    expect((await handleReset(post('/api/reset', { token: await invite(), password: PASSWORD }))).status).toBe(410);
    expect(await names()).toEqual(['Ada owner', 'Viv viewer']);
    expect(await systemDb().user.count({ where: { email: 'carl@example.com' } })).toBe(0);
  });

  it('survives a refused try: a short password, or the wrong one of an account that exists', async () => {
    const first = await invite('editor');
    expect((await join(first, { ...person('dan'), password: 'short' })).status).toBe(400);
    expect((await join(first, person('dan'))).status).toBe(200);
    await removeMember(scope, (await listMembers(scope)).find((m) => m.name === 'dan')?.userId ?? '');
    const again = await invite('viewer');
    const wrong = await join(again, { ...person('dan'), password: 'another password' });
    expect(wrong.status).toBe(409);
    expect(await wrong.json()).toMatchObject({ error: { message: expect.stringContaining('its password') } });
    expect(await names()).toEqual(['Ada owner']);
    expect((await join(again, person('dan'))).status).toBe(200);
    expect(await names()).toEqual(['Ada owner', 'dan viewer']);
    const third = await invite('owner');
    expect((await join(third, person('dan'))).status).toBe(409);
    expect(await names()).toEqual(['Ada owner', 'dan viewer']);
  });

  it('is not spent by GET-like or foreign requests, and tries are counted', async () => {
    const token = await invite();
    const body = { token, ...person('fay') };
    const foreign = { origin: 'https://evil.example' };
    expect((await handleJoin(post('/api/join', body, foreign))).status).toBe(403);
    expect((await handleReset(post('/api/reset', body, foreign))).status).toBe(403);
    expect((await handleJoin(post('/api/join', body, { 'content-type': 'text/plain' }))).status).toBe(415);
    const here = { 'x-inferloom-client-ip': 'one address' };
    for (let i = 0; i < 10; i++) await handleJoin(post('/api/join', { ...body, token: 'guess' }, here));
    const limited = await handleJoin(post('/api/join', body, here));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await join(token, person('fay'))).status).toBe(200);
  });
});

describe('a reset link', () => {
  const reset = (token: string, password: string) => handleReset(post('/api/reset', { token, password }));

  it('sets the password once, ends every session, and leaves an audit row', async () => {
    const cookie = cookiesOf(await join(await invite(), person('gus')));
    expect((await whoAmI(cookie)).status).toBe(200);
    const userId = (await listMembers(scope)).find((m) => m.name === 'gus')?.userId ?? '';
    const old = tokenOf(await createResetLink(scope, userId));
    const token = tokenOf(await createResetLink(scope, userId));
    expect((await reset(old, 'a new password 1')).status).toBe(410);
    expect((await reset(token, 'short')).status).toBe(400);
    const both = await Promise.all([reset(token, 'a new password 2'), reset(token, 'a new password 3')]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 410]);
    expect((await whoAmI(cookie)).status).toBe(401);
    expect((await signIn('gus@example.com', PASSWORD)).status).toBe(401);
    const chosen = both[0]?.status === 200 ? 'a new password 2' : 'a new password 3';
    expect((await signIn('gus@example.com', chosen)).status).toBe(200);
    expect(await lastAudit()).toMatchObject({ action: 'password.reset', subjectId: userId });
  });

  it('ends when its person joins another team meanwhile', async () => {
    await join(await invite(), person('hal'));
    const userId = (await listMembers(scope)).find((m) => m.name === 'hal')?.userId ?? '';
    const token = tokenOf(await createResetLink(scope, userId));
    const other = await makeTeam('Other');
    await other.db.member.create({ data: { teamId: other.teamId, userId, role: 'owner' } });
    expect((await reset(token, 'a new password')).status).toBe(410);
    expect((await signIn('hal@example.com', PASSWORD)).status).toBe(200);
  });
});
