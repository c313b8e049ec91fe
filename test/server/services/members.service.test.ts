import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/server/db/client';
import { listInvitations } from '@/server/services/invitations';
import { changeRole, listMembers, removeMember } from '@/server/services/members';
import { createResetLink } from '@/server/services/password-resets';
import type { Scope } from '@/server/services/scope';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeTeam } from '@/test/support/team';
import { makeMember } from '@/test/support/two-teams';

let database: TestDatabase;
let scope: Scope;
let owner: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  scope = await makeTeam('Team');
  owner = await makeMember(scope, 'Ada', 'owner');
});

const roles = async () => (await listMembers(scope)).map((m) => [m.name, m.role]);
const actions = async () => (await scope.db.auditEntry.findMany({ orderBy: { id: 'asc' } })).map((row) => row.action);

describe('the last owner', () => {
  it('can be neither demoted nor removed', async () => {
    await makeMember(scope, 'Bob', 'editor');
    await expect(changeRole(scope, { userId: owner, role: 'editor' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(removeMember(scope, owner)).rejects.toMatchObject({ code: 'conflict' });
    expect(await roles()).toEqual([
      ['Ada', 'owner'],
      ['Bob', 'editor'],
    ]);
    expect(await actions()).toEqual([]);
  });

  it('is one of two that leave at the same time', async () => {
    const second = await makeMember(scope, 'Eve', 'owner');
    for (const attempt of [
      () => [removeMember(scope, owner), removeMember(scope, second)],
      () => [changeRole(scope, { userId: owner, role: 'viewer' }), removeMember(scope, owner)],
    ]) {
      const ended = await Promise.allSettled(attempt());
      expect(ended.filter((e) => e.status === 'rejected').length).toBeGreaterThan(0);
      expect((await listMembers(scope)).filter((m) => m.role === 'owner')).toHaveLength(1);
    }
  });

  it('may go once there is another', async () => {
    const second = await makeMember(scope, 'Eve', 'viewer');
    await changeRole(scope, { userId: second, role: 'owner' });
    await removeMember(scope, owner);
    expect(await roles()).toEqual([['Eve', 'owner']]);
    expect(await actions()).toEqual(['member.role', 'member.remove']);
  });
});

describe('another team', () => {
  it('lends neither its members nor its passwords', async () => {
    const other = await makeTeam('Other');
    const stranger = await makeMember(other, 'Zoe', 'viewer');
    await expect(changeRole(scope, { userId: stranger, role: 'owner' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(removeMember(scope, stranger)).rejects.toMatchObject({ code: 'not-found' });
    await expect(createResetLink(scope, stranger)).rejects.toMatchObject({ code: 'not-found' });
  });

  it("keeps the password of who is in both out of one owner's hands", async () => {
    const other = await makeTeam('Other');
    await other.db.member.create({ data: { teamId: other.teamId, userId: owner, role: 'viewer' } });
    await expect(createResetLink(other, owner)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('a removed member takes the reset link along; the store holds hashes only', async () => {
  const userId = await makeMember(scope, 'Bob', 'editor');
  const link = await createResetLink(scope, userId);
  const secret = link.path.split('/').at(-1) ?? '';
  expect(JSON.stringify(await systemDb().oneTimeLink.findMany({ where: { userId } }))).not.toContain(secret);
  await removeMember(scope, userId);
  expect(await systemDb().oneTimeLink.count({ where: { userId } })).toBe(0);
  expect(await listInvitations(scope)).toEqual([]);
});
