import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleApi, handleWorker } from '@/server/api/handlers';
import { handleOwner } from '@/server/auth/link-routes';
import { handleAuth } from '@/server/auth/routes';
import { systemDb } from '@/server/db/client';
import { createOwnerLink } from '@/server/services/owner-link';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { type Furnished, furnishTeam } from '@/test/support/two-teams';

const ORIGIN = 'http://localhost:3000';
const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let other: Furnished;
let cookie: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());

const request = (path: string, init: RequestInit = {}): Request => {
  const headers = new Headers({ host: 'localhost:3000' });
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  if (typeof init.body === 'string') headers.set('content-length', String(Buffer.byteLength(init.body)));
  return new Request(`${ORIGIN}${path}`, { ...init, headers });
};
const postJson = (path: string, body: unknown, headers: Record<string, string> = {}): Request =>
  request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
  });
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
const query = (path: string, headers: Record<string, string>) => handleApi(request(`/api/trpc/${path}`, { headers }));

describe('the owner link', () => {
  const owner = { email: 'Owner@Example.com', name: 'Owner', password: PASSWORD };
  const linkToken = async () => (await createOwnerLink())?.path.split('/').at(-1) ?? '';

  it('is refused when it is unknown, over, or the password is short; opening it by GET spends nothing', async () => {
    const token = await linkToken();
    const by = (address: string) => ({ 'x-inferloom-client-ip': address });
    expect((await handleOwner(postJson('/api/owner', { ...owner, token: 'guess' }, by('1')))).status).toBe(410);
    expect((await handleOwner(postJson('/api/owner', { ...owner, token, password: 'short' }, by('2')))).status).toBe(
      400,
    );
    await systemDb().oneTimeLink.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await handleOwner(postJson('/api/owner', { ...owner, token }, by('3')))).status).toBe(410);
    expect(await systemDb().user.count()).toBe(0);
  });

  it('makes one owner, with a session, once; an earlier link ends with a new one', async () => {
    const [old, token] = [await linkToken(), await linkToken()];
    const by = (address: string) => ({ 'x-inferloom-client-ip': address });
    expect((await handleOwner(postJson('/api/owner', { ...owner, token: old }, by('4')))).status).toBe(410);
    const both = await Promise.all(
      ['a@example.com', 'b@example.com'].map((email) =>
        handleOwner(postJson('/api/owner', { ...owner, email, token }, by('5'))),
      ),
    );
    expect(both.map((response) => response.status).sort()).toEqual([200, 410]);
    const winner = both.find((response) => response.status === 200);
    cookie = cookiesOf(winner as Response);
    const answer = await query('me.get', { cookie });
    const { result } = (await answer.json()) as { result: { data: never } };
    expect(superjson.deserialize(result.data)).toMatchObject({ role: 'owner', team: { name: 'My team' } });
    expect(await createOwnerLink()).toBeNull();
    expect((await handleOwner(postJson('/api/owner', { ...owner, token }, by('6')))).status).toBe(410);
  });
});

describe('the door of the API', () => {
  it('refuses a cross-site multipart POST that carries the cookie, and runs nothing', async () => {
    const form = new FormData();
    form.set('0', '{}');
    const attack = (headers: Record<string, string>) =>
      handleApi(
        request('/api/trpc/session.signOut', {
          method: 'POST',
          body: form,
          headers: { cookie, 'content-length': '90', ...headers },
        }),
      );
    expect((await attack({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await attack({})).status).toBe(403);
    expect((await attack({ origin: ORIGIN })).status).toBe(415);
    expect((await query('me.get', { cookie })).status).toBe(200);
  });

  it('refuses a foreign Host on every route', async () => {
    const headers = { host: 'evil.example', cookie };
    expect((await handleApi(request('/api/trpc/me.get', { headers }))).status).toBe(421);
    expect((await handleWorker(request('/api/worker/claim', { method: 'POST', headers }))).status).toBe(421);
    expect((await handleAuth(request('/api/auth/get-session', { headers }))).status).toBe(421);
    expect((await handleOwner(request('/api/owner', { method: 'POST', headers }))).status).toBe(421);
  });

  it('changes nothing by GET', async () => {
    const answer = await query('session.signOut', { cookie });
    expect(answer.status).toBe(405);
  });

  it('never reads cookies of a bearer request, and refuses a team that one is not in', async () => {
    other = await furnishTeam('other');
    expect((await query('me.get', { cookie, authorization: 'Bearer inf_k_wrong' })).status).toBe(401);
    expect((await query('me.get', { cookie, authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await query('me.get', { cookie, 'x-inferloom-team': other.scope.teamId })).status).toBe(403);
  });

  it('keeps keys of people and tokens of workers apart', async () => {
    const made = await handleApi(
      postJson('/api/trpc/tokens.create', superjson.serialize({ name: 'script', role: 'viewer' }), { cookie }),
    );
    const { result } = (await made.json()) as { result: { data: never } };
    const key = superjson.deserialize<{ token: string; id: string }>(result.data);
    const bearer = { authorization: `Bearer ${key.token}` };
    expect((await query('me.get', bearer)).status).toBe(200);
    expect((await query('tokens.list', bearer)).status).toBe(403);
    const claim = (headers: Record<string, string>) =>
      handleWorker(postJson('/api/worker/claim', { workerId: other.workerId }, headers));
    expect((await claim(bearer)).status).toBe(401);
    expect((await claim({ cookie })).status).toBe(401);
    expect((await query('me.get', { authorization: `Bearer ${other.workerToken}` })).status).toBe(401);
    expect((await claim({ authorization: `Bearer ${other.workerToken}` })).status).toBe(200);
    await handleApi(postJson('/api/trpc/tokens.revoke', superjson.serialize({ id: key.id }), { cookie }));
    expect((await query('me.get', bearer)).status).toBe(401);
  });

  it('refuses batches that are too large, and more than an agent needs to send', async () => {
    const authorization = `Bearer ${other.workerToken}`;
    const body = { workerId: other.workerId, attemptId: other.attemptId, events: [] };
    const send = () => handleWorker(postJson('/api/worker/append', body, { authorization }));
    const large = request('/api/worker/append', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'content-length': '1200000' },
    });
    expect((await handleWorker(large)).status).toBe(413);
    const statuses: number[] = [];
    let last: Response | null = null;
    for (let i = 0; i < 35; i++) {
      last = await send();
      statuses.push(last.status);
    }
    expect(statuses[0]).toBe(200);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('sign-in', () => {
  const email = async () => (await systemDb().user.findFirstOrThrow()).email;
  const signIn = (address: string, account: string, password: string) =>
    handleAuth(postJson('/api/auth/sign-in/email', { email: account, password }, { 'x-inferloom-client-ip': address }));

  it('mounts sign-in, sign-out, session and change of password only', async () => {
    for (const path of [
      'sign-up/email',
      'update-user',
      'delete-user',
      'list-sessions',
      'request-password-reset',
      'error',
    ]) {
      expect((await handleAuth(postJson(`/api/auth/${path}`, {}, { cookie }))).status, path).toBe(404);
    }
    expect((await handleAuth(request('/api/auth/get-session', { headers: { cookie } }))).status).toBe(200);
  });

  it('takes the right password, whatever the case of the address', async () => {
    const answer = await signIn('10.0.0.1', (await email()).toUpperCase(), PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
    expect((await query('me.get', { cookie: cookiesOf(answer) })).status).toBe(200);
  });

  it('allows five tries a minute for an address and for an account', async () => {
    const account = await email();
    const byAddress: number[] = [];
    for (let i = 0; i < 6; i++)
      byAddress.push((await signIn('10.0.0.2', `nobody${i}@example.com`, 'wrong password')).status);
    expect(byAddress).toEqual([401, 401, 401, 401, 401, 429]);
    const byAccount: number[] = [];
    for (let i = 0; i < 5; i++) byAccount.push((await signIn(`10.0.1.${i}`, account, 'wrong password')).status);
    expect(byAccount.at(-1)).toBe(429);
  });

  it('ends with sign-out', async () => {
    const answer = await handleApi(postJson('/api/trpc/session.signOut', {}, { cookie }));
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().length).toBeGreaterThan(0);
    expect((await query('me.get', { cookie })).status).toBe(401);
  });
});
