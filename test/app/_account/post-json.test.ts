import { afterEach, describe, expect, it, vi } from 'vitest';
import { postJson, safeNext } from '@/app/_account/post-json';

afterEach(() => void vi.unstubAllGlobals());
const answer = (status: number, body: string) => vi.stubGlobal('fetch', async () => new Response(body, { status }));

describe('after signing in', () => {
  it('goes back only to a path of this site', () => {
    expect(safeNext('/experiments/1?tab=load')).toBe('/experiments/1?tab=load');
    for (const bad of [null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      expect(safeNext(bad), String(bad)).toBe('/pipelines');
    }
  });
});

describe('a posted form', () => {
  it("gives the server's own sentence, whatever the shape of the refusal", async () => {
    answer(401, '{"message":"Invalid email or password"}');
    expect(await postJson('/x', {})).toEqual({ ok: false, message: 'Invalid email or password' });
    answer(403, '{"error":"nope"}');
    expect(await postJson('/x', {})).toEqual({ ok: false, message: 'nope' });
    answer(410, '{"error":{"code":"not-found","message":"This link was used."}}');
    expect(await postJson('/x', {})).toEqual({ ok: false, message: 'This link was used.' });
    answer(502, '<html>');
    expect(await postJson('/x', {})).toEqual({ ok: false, message: 'The server answered 502.' });
  });

  it('says when to wait and when nothing was reached', async () => {
    answer(429, '{}');
    expect(await postJson('/x', {})).toMatchObject({ ok: false, message: expect.stringContaining('Wait a minute') });
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('network');
    });
    expect(await postJson('/x', {})).toMatchObject({
      ok: false,
      message: expect.stringContaining('cannot be reached'),
    });
  });
});
