import { expect, it } from 'vitest';
import { move } from '@/app/_builder/actions/move';
import { setParam } from '@/app/_builder/actions/set-param';
import { toggleBypass } from '@/app/_builder/actions/toggle-bypass';
import { sameNodes } from '@/app/_builder/run/same-nodes';
import { small } from '../fixtures';

it('a node that moved still means the same; one that was changed, bypassed or added does not', () => {
  const ran = small();
  const moved = move.apply(ran, { model: { x: 99, y: 99 } });
  expect(sameNodes(ran, moved)).toEqual(new Set(ran.nodes.map((node) => node.id)));
  const changed = setParam.apply(moved, { nodeId: 'quant', field: 'type', value: 'Q4_K_M' });
  const after = toggleBypass.apply(changed, { nodeIds: ['engine'] });
  expect([...sameNodes(ran, after)].sort()).toEqual(['alien', 'dep', 'hardware', 'model']);
});
