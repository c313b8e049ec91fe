import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleApi } from '@/server/api/handlers';
import { appendEvents } from '@/server/services/events';
import { closeLive } from '@/server/services/live';
import type { Scope } from '@/server/services/scope';
import type { StreamMessage } from '@/server/services/stream-reader';
import { createToken } from '@/server/services/tokens';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeExperiment, makeTeam } from '@/test/support/team';

let database: TestDatabase;
let team: Scope;
let experimentId: string;
let authorization: string;

beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeTeam();
  ({ experimentId } = await makeExperiment(team));
  const key = await createToken(team, { kind: 'api_key', name: 'k', role: 'viewer', expiresInDays: null });
  authorization = `Bearer ${key.token}`;
});
afterAll(async () => {
  await closeLive();
  await database?.drop();
});

const append = (count: number) =>
  team.db.$transaction((tx) =>
    appendEvents(
      tx,
      team.teamId,
      experimentId,
      Array.from({ length: count }, () => ({ trialId: null, body: { kind: 'log', lines: ['x'] } as const })),
    ),
  );
const head = async () => (await team.db.stream.findFirstOrThrow({ where: { experimentId } })).seq;
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Opens the subscription as a browser's EventSource does and reads server-sent events until `done` says so. */
async function listen(lastEventId: string | null, done: (seqs: number[]) => boolean) {
  const controller = new AbortController();
  const input = JSON.stringify(superjson.serialize({ experimentId }));
  const headers = new Headers({ host: 'localhost:3000', accept: 'text/event-stream', authorization });
  if (lastEventId !== null) headers.set('last-event-id', lastEventId);
  const url = `http://localhost:3000/api/trpc/live.experiment?input=${encodeURIComponent(input)}`;
  const response = await handleApi(new Request(url, { headers, signal: controller.signal }));
  const seqs: number[] = [];
  let id = lastEventId;
  let failed: string | null = null;
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let buffer = '';
  while (!done(seqs) && failed === null) {
    const { value, done: ended } = await reader.read();
    if (ended) break;
    buffer += decoder.decode(value, { stream: true });
    const frames = buffer.split('\n\n');
    buffer = frames.pop() ?? '';
    for (const frame of frames) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(frame)?.[1] ?? null;
      if (field('event') === 'serialized-error') failed = field('data');
      if (field('id') === null) continue;
      id = field('id');
      const message = superjson.deserialize<StreamMessage>(JSON.parse(field('data') ?? '{}'));
      if (message.type === 'events') seqs.push(...message.events.map((event) => event.seq));
    }
  }
  controller.abort();
  await reader.cancel().catch(() => {});
  return { status: response.status, seqs, id, failed };
}

describe('live.experiment over HTTP', () => {
  it('resumes after the last event that the client got, without a gap', async () => {
    await append(10);
    const first = await listen(null, (seqs) => seqs.length >= 10);
    expect(first.status).toBe(200);
    expect(first.id).toBe(String(first.seqs.at(-1)));
    // Cut off; meanwhile more happens.
    await append(25);
    const second = listen(first.id, (seqs) => (seqs.at(-1) ?? 0) >= (first.seqs.at(-1) ?? 0) + 30);
    await append(5);
    expect([...first.seqs, ...(await second).seqs]).toEqual(range(1, await head()));
  });

  it('serves eight tabs at once', async () => {
    const last = (await head()) + 20;
    const tabs = Array.from({ length: 8 }, () => listen(null, (seqs) => (seqs.at(-1) ?? 0) >= last));
    for (let i = 0; i < 20; i++) await append(1);
    for (const tab of await Promise.all(tabs)) expect(tab.seqs).toEqual(range(1, last));
  });

  it('is closed by a server that restarts with an error that clients come back on', async () => {
    const tab = listen(String(await head()), () => false);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await closeLive();
    expect((await tab).failed).toContain('SERVICE_UNAVAILABLE');
  });
});
