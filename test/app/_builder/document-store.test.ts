import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addNode } from '@/app/_builder/actions/add-node';
import { connect } from '@/app/_builder/actions/connect';
import { layOut } from '@/app/_builder/actions/lay-out';
import { move } from '@/app/_builder/actions/move';
import { paste } from '@/app/_builder/actions/paste';
import { remove } from '@/app/_builder/actions/remove';
import { setParam } from '@/app/_builder/actions/set-param';
import { toggleBypass } from '@/app/_builder/actions/toggle-bypass';
import { createDocumentStore, type DocumentStore } from '@/app/_builder/document-store';
import { edge, node, small } from './fixtures';

const NODE_IDS = ['model', 'quant', 'engine', 'hardware', 'dep', 'alien', 'new'];
const anyId = fc.constantFrom(...NODE_IDS);
const anyPlace = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) });

type Step = (document: DocumentStore) => unknown;
/** One edit of any kind, with arguments that may also miss. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  anyId.map(
    (id): Step =>
      (d) =>
        d.dispatch(addNode, { node: node(id, 'threads') }),
  ),
  fc.tuple(anyId, anyPlace).map(
    ([id, place]): Step =>
      (d) =>
        d.dispatch(move, { [id]: place }),
  ),
  fc.tuple(anyId, anyId).map(
    ([a, b]): Step =>
      (d) =>
        d.dispatch(connect, edge(a, b)),
  ),
  fc.tuple(anyId, fc.integer()).map(
    ([nodeId, value]): Step =>
      (d) =>
        d.dispatch(setParam, { nodeId, field: 'x', value }),
  ),
  anyId.map(
    (id): Step =>
      (d) =>
        d.dispatch(toggleBypass, { nodeIds: [id] }),
  ),
  anyId.map(
    (id): Step =>
      (d) =>
        d.dispatch(remove, { nodeIds: [id], edgeIds: [] }),
  ),
  anyId.map(
    (id): Step =>
      (d) =>
        d.dispatch(paste, { nodes: [node(id, 'threads')], edges: [], offset: { x: 1, y: 1 } }),
  ),
  fc.constant<Step>((d) => d.dispatch(layOut, { heights: {} })),
);

const documentOf = (d: DocumentStore) => d.store.getState().pipeline;
const pastOf = (d: DocumentStore) => d.store.temporal.getState().pastStates.length;

describe('undo and redo', () => {
  it('undoing all gives the first document back, redoing all the last, for any edits', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
        let clock = 0;
        const first = small();
        const d = createDocumentStore(first, () => (clock += 5000));
        for (const step of steps) step(d);
        const last = documentOf(d);
        const edits = pastOf(d);
        for (let n = 0; n < edits; n += 1) d.undo();
        expect(documentOf(d)).toBe(first);
        for (let n = 0; n < edits; n += 1) d.redo();
        expect(documentOf(d)).toBe(last);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('undoing one edit gives exactly the document before it', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 10 }), anyStep, (steps, step) => {
        let clock = 0;
        const d = createDocumentStore(small(), () => (clock += 5000));
        for (const earlier of steps) earlier(d);
        const before = documentOf(d);
        const changed = step(d);
        if (changed) d.undo();
        expect(documentOf(d)).toBe(before);
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('an edit that changes nothing is no step and keeps what can be redone', () => {
    const d = createDocumentStore(small());
    d.dispatch(move, { quant: { x: 1, y: 1 } });
    d.undo();
    expect(d.dispatch(move, {})).toBe(false);
    expect(pastOf(d)).toBe(0);
    d.redo();
    expect(documentOf(d).nodes[1]?.position).toEqual({ x: 1, y: 1 });
  });

  it('a new edit after an undo ends the redo', () => {
    const d = createDocumentStore(small());
    d.dispatch(move, { quant: { x: 1, y: 1 } });
    d.undo();
    d.dispatch(move, { quant: { x: 2, y: 2 } });
    d.redo();
    expect(documentOf(d).nodes[1]?.position).toEqual({ x: 2, y: 2 });
  });
});

describe('typing into a field', () => {
  const type = (d: DocumentStore, value: number, field = 'x') =>
    d.dispatch(setParam, { nodeId: 'quant', field, value });

  it('is one step while it goes on, and a new one after a pause, in another field or after another edit', () => {
    let clock = 0;
    const d = createDocumentStore(small(), () => clock);
    for (const value of [1, 12, 128]) {
      clock += 300;
      type(d, value);
    }
    expect(pastOf(d)).toBe(1);
    clock += 1500;
    type(d, 1280);
    expect(pastOf(d)).toBe(2);
    type(d, 5, 'y');
    expect(pastOf(d)).toBe(3);
    d.dispatch(toggleBypass, { nodeIds: ['quant'] });
    type(d, 6, 'y');
    expect(pastOf(d)).toBe(5);
  });

  it('an undo in the middle starts a new step', () => {
    const d = createDocumentStore(small(), () => 0);
    type(d, 1);
    d.undo();
    type(d, 2);
    expect(pastOf(d)).toBe(1);
    d.undo();
    expect(documentOf(d).nodes[1]?.params).toEqual({ type: 'Q8_0' });
  });
});
