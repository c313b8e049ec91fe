import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/server/services/audit';
import { listVersions, restoreVersion, saveVersion } from '@/server/services/pipeline-versions';
import {
  createPipeline,
  duplicatePipeline,
  getPipeline,
  listPipelines,
  removePipeline,
  savePipeline,
} from '@/server/services/pipelines';
import type { Scope } from '@/server/services/scope';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeTeam } from '@/test/support/team';

let database: TestDatabase;
let team: Scope;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  team = await makeTeam();
});

const withNode = (id: string) => ({ version: 1 as const, nodes: [{ id, type: 'model', params: {} }], edges: [] });

describe('save', () => {
  it('lets one of many that save the same revision at once win; the others get both documents', async () => {
    const { id } = await createPipeline(team, { name: 'p', document: withNode('start') });
    const writers = Array.from({ length: 6 }, (_, i) => `writer-${i}`);
    const results = await Promise.all(
      writers.map((name) => savePipeline(team, { id, revision: 1, document: withNode(name) })),
    );
    const winner = writers[results.findIndex((result) => result.saved)];
    expect(results.filter((result) => result.saved)).toHaveLength(1);
    results.forEach((result, i) => {
      if (result.saved) return;
      expect(result.mine.nodes[0]?.id).toBe(writers[i]);
      expect(result.theirs).toMatchObject({ revision: 2, document: { nodes: [{ id: winner }] } });
    });
    expect((await getPipeline(team, id)).document.nodes[0]?.id).toBe(winner);
  });

  it('keeps unknown keys and node types as they came', async () => {
    const document = {
      version: 1,
      note: 'kept',
      nodes: [{ id: 'x', type: 'from-the-future', params: { a: 1 }, extra: [1] }],
      edges: [],
    };
    const { id } = await createPipeline(team, { name: 'p', document });
    expect((await getPipeline(team, id)).document).toEqual(document);
  });

  it('refuses what is no pipeline, or too large, or gone', async () => {
    await expect(createPipeline(team, { name: 'p', document: { version: 9 } })).rejects.toMatchObject({
      code: 'bad-request',
    });
    const nodes = Array.from({ length: 2_001 }, (_, i) => ({ id: `n${i}`, type: 'model' }));
    await expect(createPipeline(team, { name: 'p', document: { version: 1, nodes, edges: [] } })).rejects.toMatchObject(
      { code: 'payload-too-large' },
    );
    const padding = { id: 'n', type: 'model', params: { text: 'x'.repeat(5 * 1024 * 1024) } };
    await expect(
      createPipeline(team, { name: 'p', document: { version: 1, nodes: [padding], edges: [] } }),
    ).rejects.toMatchObject({ code: 'payload-too-large' });
    const { id } = await createPipeline(team, { name: 'p', document: withNode('a') });
    await removePipeline(team, id);
    await expect(savePipeline(team, { id, revision: 1, document: withNode('b') })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('versions', () => {
  it('are numbered, also when two are saved at once, and restoring writes a new revision', async () => {
    const { id } = await createPipeline(team, { name: 'p', document: withNode('first') });
    await Promise.all([saveVersion(team, { id, name: 'a' }), saveVersion(team, { id, name: null })]);
    expect((await listVersions(team, id)).map((version) => version.number)).toEqual([2, 1]);
    await savePipeline(team, { id, revision: 1, document: withNode('second') });
    const [, oldest] = await listVersions(team, id);
    if (!oldest) throw new Error('no version');
    expect(await restoreVersion(team, { id, versionId: oldest.id, revision: 2 })).toMatchObject({
      saved: true,
      revision: 3,
    });
    expect((await getPipeline(team, id)).document.nodes[0]?.id).toBe('first');
    expect(await restoreVersion(team, { id, versionId: oldest.id, revision: 2 })).toMatchObject({ saved: false });
  });
});

describe('the list', () => {
  it('pages by keyset: a pipeline made meanwhile shifts nothing', async () => {
    for (let i = 0; i < 5; i++) await createPipeline(team, { name: `p${i}`, document: withNode('n') });
    const first = await listPipelines(team, { limit: 2 });
    await createPipeline(team, { name: 'newest', document: withNode('n') });
    const second = await listPipelines(team, { limit: 2, cursor: first.nextCursor ?? undefined });
    const third = await listPipelines(team, { limit: 2, cursor: second.nextCursor ?? undefined });
    expect([...first.items, ...second.items, ...third.items].map((p) => p.name)).toEqual([
      'p4',
      'p3',
      'p2',
      'p1',
      'p0',
    ]);
    expect(third.nextCursor).toBeNull();
    await expect(listPipelines(team, { limit: 2, cursor: 'junk' })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('finds by part of the name and leaves out what was removed', async () => {
    const made = await createPipeline(team, { name: 'Speculation', document: withNode('n') });
    await duplicatePipeline(team, made.id);
    await removePipeline(team, made.id);
    const { items } = await listPipelines(team, { limit: 10, search: 'SPEC' });
    expect(items.map((p) => [p.name, p.nodeCount])).toEqual([['Speculation (copy)', 1]]);
  });
});

it('every change leaves an audit row with who made it', async () => {
  const { id } = await createPipeline(team, { name: 'p', document: withNode('n') });
  await savePipeline(team, { id, revision: 1, document: withNode('m') });
  await savePipeline(team, { id, revision: 1, document: withNode('lost') });
  await removePipeline(team, id);
  const { items } = await listAudit(team, { limit: 10 });
  expect(items.map((entry) => [entry.action, entry.subjectId, entry.actorName])).toEqual([
    ['pipeline.remove', id, 'test'],
    ['pipeline.save', id, 'test'],
    ['pipeline.create', id, 'test'],
  ]);
});
