import { expect, it } from 'vitest';
import { answerCompile } from '@/app/_builder/compile-request';
import { flagLines } from '@/app/_builder/inspector/param-flags';
import { EXAMPLES } from '@/server/core/pipeline/examples';

const demo = EXAMPLES[0]?.pipeline;
if (!demo) throw new Error('the demo example is gone');
const reply = answerCompile({ seq: 1, pipeline: demo });
if (!('compiled' in reply)) throw new Error(reply.failure);
const { compiled } = reply;
const idOf = (type: string) => demo.nodes.find((node) => node.type === type)?.id ?? '';

it('names the flags of each node of the demo, and those of one field', () => {
  const kv = flagLines(compiled, idOf('kv-cache-type'));
  expect(kv.map((line) => line.text)).toEqual(['--cache-type-k q8_0', '--cache-type-v q8_0']);
  const [first] = Object.keys(demo.nodes.find((node) => node.type === 'kv-cache-type')?.params ?? {});
  expect(flagLines(compiled, idOf('kv-cache-type'), first ?? '')).toHaveLength(1);
});

it('has nothing to say for a node that no plan holds, or before the first compilation', () => {
  expect(flagLines(compiled, 'nobody')).toEqual([]);
  expect(flagLines(null, idOf('kv-cache-type'))).toEqual([]);
});
