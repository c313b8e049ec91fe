import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import demo from '@/server/core/pipeline/examples/demo.json';
import { parsePipeline, parsePipelineText, serializePipeline } from '@/server/core/pipeline/parse';
import { findingSchema } from '@/server/core/plan/finding';
import v1 from '@/test/golden/pipeline/v1.json';

const places = (raw: unknown) =>
  parsePipeline(raw).findings.map((f) => `${f.severity} ${f.code}@${f.nodeId}.${f.field}`);

describe('parsePipeline', () => {
  it('reads a document of version 1 without a word', () => {
    expect(parsePipeline(v1)).toEqual({ pipeline: v1, findings: [] });
    expect(parsePipeline(demo).findings).toEqual([]);
  });

  it.each([[null], [undefined], [7], ['text'], [[]], [true]])('%j is no pipeline', (raw) => {
    expect(places(raw)).toEqual(['error not-a-pipeline@null.null']);
    expect(parsePipeline(raw).pipeline).toEqual({ version: 1, nodes: [], edges: [] });
  });

  it.each([
    [{}, ['warning version-missing@null.null', 'error nodes-missing@null.null', 'error edges-missing@null.null']],
    [{ version: 99, nodes: [], edges: [] }, ['error version-newer@null.null']],
    [{ version: 0, nodes: [], edges: [] }, ['error version-unknown@null.null']],
    [{ version: '1', nodes: [], edges: [] }, ['error version-unknown@null.null']],
    [{ version: 1, nodes: {}, edges: [] }, ['error nodes-missing@null.null']],
  ])('%j: %j', (raw, expected) => {
    expect(places(raw)).toEqual(expected);
  });

  it('names the node of every malformed part and keeps what it can', () => {
    const { pipeline, findings } = parsePipeline({
      version: 1,
      nodes: [
        { id: 'a', type: 'model', params: [] },
        { id: 'a', type: 'model' },
        { type: 'model' },
        { id: 'b' },
        { id: 'c', type: 'model', bypassed: 'no', position: { x: 'left', y: 0 } },
        'junk',
        { id: 7, type: 'model' },
      ],
      edges: [],
    });
    expect(findings.map((f) => `${f.code}@${f.nodeId}.${f.field}`)).toEqual([
      'node-malformed@a.params',
      'duplicate-node-id@a-2.null',
      'node-malformed@node-3.id',
      'node-malformed@b.type',
      'node-malformed@c.bypassed',
      'node-malformed@c.position',
      'node-malformed@null.null',
    ]);
    expect(pipeline.nodes.map((n) => `${n.id}:${n.type}`)).toEqual([
      'a:model',
      'a-2:model',
      'node-3:model',
      'b:unknown',
      'c:model',
      '7:model',
    ]);
  });

  it('reads the edges of other editors as findings at their nodes', () => {
    const nodes = [
      { id: 'a', type: 'model' },
      { id: 'b', type: 'deployment' },
    ];
    const edges = [
      { source: 'a', target: 'b' },
      { from: 'a', to: 'b' },
      { from: { node: 'a', port: 'weights' } },
      null,
      { from: { node: 'a', port: 'weights' }, to: { node: 'gone', port: 'serving' } },
    ];
    expect(places({ version: 1, nodes, edges })).toEqual([
      'error edge-malformed@b.null',
      'error edge-malformed@b.null',
      'error edge-malformed@a.null',
      'error edge-malformed@null.null',
    ]);
    expect(parsePipeline({ version: 1, nodes, edges }).pipeline.edges).toEqual([edges[4]]);
  });

  it('keeps unknown types and unknown keys, and writes them back', () => {
    const raw = {
      version: 1,
      title: 'mine',
      nodes: [{ id: 'x', type: 'time-machine', params: { flux: 1.21 }, colour: 'red' }],
      edges: [],
    };
    const { pipeline, findings } = parsePipeline(raw);
    expect(findings).toEqual([]);
    expect(JSON.parse(serializePipeline(pipeline))).toEqual(raw);
  });

  it('is not fooled by names of prototypes', () => {
    const text =
      '{"version":1,"nodes":[{"id":"__proto__","type":"constructor","params":{"__proto__":{"x":1}}}],"edges":[]}';
    const { pipeline } = parsePipelineText(text);
    expect(JSON.stringify(pipeline.nodes[0]?.params)).toBe('{"__proto__":{"x":1}}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('refuses what is nested without end, and gives 50,000 equal ids names of their own in a moment', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(places({ version: 1, nodes: [{ id: 'a', type: 'threads', params: { threads: deep } }], edges: [] })).toEqual(
      ['error too-deep@null.null'],
    );
    const same = Array.from({ length: 50_000 }, () => ({ id: 'a', type: 'threads' }));
    const { nodes } = parsePipeline({ version: 1, nodes: same, edges: [] }).pipeline;
    expect(new Set(nodes.map((n) => n.id)).size).toBe(50_000);
  });

  it('says where a text is no JSON', () => {
    expect(parsePipelineText('{').findings.map((f) => f.code)).toEqual(['not-json']);
  });

  it('never throws, and what it read once it reads again the same (property)', { timeout: 60_000 }, () => {
    const looseNode = fc.record(
      { id: fc.anything(), type: fc.anything(), params: fc.anything() },
      { requiredKeys: [] },
    );
    const looseDocument = fc.record(
      {
        version: fc.constantFrom(1, 0, 2, '1', null),
        nodes: fc.array(fc.oneof(looseNode, fc.anything())),
        edges: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), looseDocument), (raw) => {
        const { pipeline, findings } = parsePipeline(raw);
        for (const finding of findings) findingSchema.parse(finding);
        const again = parsePipelineText(serializePipeline(pipeline));
        const once = JSON.parse(JSON.stringify(pipeline));
        expect(again.findings).toEqual([]);
        expect(again.pipeline).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});
