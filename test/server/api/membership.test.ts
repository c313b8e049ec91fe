import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Caller } from '@/server/api/context';
import { keepMembership } from '@/server/api/membership';
import { resolveCaller } from '@/server/api/resolve-caller';

vi.mock('@/server/api/resolve-caller', () => ({ resolveCaller: vi.fn() }));

const caller: Caller = {
  actor: { kind: 'user', id: 'u', name: 'U' },
  role: 'viewer',
  team: { id: 'team', name: 'Team' },
  user: null,
};
const start = (signal?: AbortSignal) =>
  keepMembership({ caller, headers: new Headers(), responseHeaders: new Headers() }, signal);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('ends a subscription within a minute of its caller leaving the team', async () => {
  vi.mocked(resolveCaller).mockResolvedValueOnce(caller).mockResolvedValueOnce(null);
  const ends = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends.signal.aborted).toBe(false);
  expect(() => ends.throwIfRefused()).not.toThrow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends.signal.aborted).toBe(true);
  expect(() => ends.throwIfRefused()).toThrow(/no longer in this team/);
  ends.stop();
});

it('ends it for a key that was revoked: the look-up itself refuses', async () => {
  vi.mocked(resolveCaller).mockRejectedValueOnce(
    Object.assign(new Error('revoked'), { name: 'AppError', code: 'unauthorized' }),
  );
  const ends = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends.signal.aborted).toBe(true);
  expect(() => ends.throwIfRefused()).toThrow();
  ends.stop();
});

it('goes on while the database is away, and ends when its client leaves', async () => {
  vi.mocked(resolveCaller).mockRejectedValueOnce(new Error('no database'));
  const client = new AbortController();
  const ends = start(client.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends.signal.aborted).toBe(false);
  client.abort();
  expect(ends.signal.aborted).toBe(true);
  expect(() => ends.throwIfRefused()).not.toThrow();
  ends.stop();
  expect(vi.getTimerCount()).toBe(0);
});
