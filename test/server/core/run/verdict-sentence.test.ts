import { describe, expect, it } from 'vitest';
import { buildReport } from '@/server/core/run/build-report';
import { moreBlocksText } from '@/server/core/run/more-blocks';
import type { ReportTrial } from '@/server/core/run/report-trial';
import { context, plan, point, quality, spec, trial } from '@/test/fixtures/report-trials';

/** One variant a row: its tokens/s and TTFT as multiples of the baseline's, one pair a block. */
type Variant = [label: string, ratios: readonly (readonly [number, number])[]];

function sentenceOf(variants: readonly Variant[], reasons: string[] = []): string {
  const arms = [plan('base', 'F16'), ...variants.map(([label]) => plan(label, label, 'none'))];
  const blocks = Math.max(...variants.map(([, ratios]) => ratios.length));
  const trials: ReportTrial[] = Array.from({ length: blocks }, (_, block) => block).flatMap((block) => [
    trial(0, block, point(100, 200, { reasons })),
    ...variants.flatMap(([, ratios], i) => {
      const [rate, ttft] = ratios[block] ?? [1, 1];
      return [trial(i + 1, block, point(100 * rate, 200 * ttft), {}, { quality: quality(0) })];
    }),
  ]);
  return buildReport({ ...spec, arms, blocks: 3 }, trials, context).sentence;
}

const fast: Variant = [
  'Q4_K_M',
  [
    [1.9, 0.63],
    [1.91, 0.63],
    [1.89, 0.631],
  ],
];
const slow: Variant = [
  'k=8',
  [
    [0.5, 2],
    [0.51, 2.01],
    [0.505, 2.02],
  ],
];
const equal: Variant = [
  'window',
  [
    [1, 1],
    [1.001, 0.999],
    [0.999, 1.001],
  ],
];
const noisy: Variant = [
  'draft',
  [
    [0.8, 1.3],
    [1.5, 0.7],
    [1.0, 1.0],
  ],
];
const wild: Variant = [
  'cache',
  [
    [0.2, 3],
    [5, 0.3],
    [1.02, 1],
  ],
];

describe('writeSentence', () => {
  it('leads with the best that is decided, then the slower, then groups the rest', () => {
    expect(sentenceOf([noisy, slow, equal, fast, wild])).toMatch(
      /^Q4_K_M gives 1\.90× the baseline's output tokens\/s \(1\.\d\d–2\.\d\d\), TTFT p50 −37 %; k=8 gives 0\.50× the baseline's output tokens\/s \(.*\), TTFT p50 \+101 %; window makes no significant difference; no verdict yet on draft and cache: too noisy on this host \(not at this noise\)\.$/,
    );
  });

  it('never tells anybody to wait for hundreds of blocks', () => {
    expect(sentenceOf([wild])).toBe('No verdict yet on cache: too noisy on this host (not at this noise).');
    expect([1, 3, 24, 25, 197].map(moreBlocksText)).toEqual([
      '1 more block',
      '3 more blocks',
      '24 more blocks',
      'not at this noise',
      'not at this noise',
    ]);
  });

  it('names the busy host as the likely cause', () => {
    expect(sentenceOf([noisy], ['note: the host was busy: 1-minute load 9.0 on 2 cores'])).toContain(
      'too noisy on this host, probably because it was busy (',
    );
  });

  it('says too few blocks, not noise, before the first look', () => {
    const two: Variant[] = [fast, slow].map(([label, ratios]) => [label, ratios.slice(0, 2)]);
    expect(sentenceOf(two)).toBe('No verdict yet on Q4_K_M and k=8: too few blocks (1 more block).');
  });
});
