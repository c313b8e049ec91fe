import { describe, expect, it } from 'vitest';
import { blocksAtLook, type ComparisonInput, compareAll } from '@/server/core/run/compare';
import { createPrng, type Prng } from '@/server/core/workload/prng';

const normal = (prng: Prng): number => Math.sqrt(-2 * Math.log(1 - prng.next())) * Math.cos(2 * Math.PI * prng.next());

/** One block's pair with a noise of `sd` on each side, around 100. */
type Noise = (prng: Prng, block: number) => [number, number];
const NOISES: Record<string, Noise> = {
  normal: (prng) => [100 + 2 * normal(prng), 100 + 2 * normal(prng)],
  lognormal: (prng) => [100 * Math.exp(0.15 * normal(prng)), 100 * Math.exp(0.15 * normal(prng))],
  outliers: (prng) => {
    const side = (): number => (100 + 2 * normal(prng)) * (prng.next() < 0.1 ? 1.5 : 1);
    return [side(), side()];
  },
  drift: (prng, block) => {
    const level = 100 + 4 * block;
    // Which of the two runs first is drawn; the later one has drifted by half a block.
    const first = prng.next() < 0.5;
    return [level + (first ? 0 : 2) + 2 * normal(prng), level + (first ? 2 : 0) + 2 * normal(prng)];
  },
};

const input = (pairs: [number, number][], metric = 'ttftMsP50', primary = true): ComparisonInput => ({
  metric,
  primary,
  pairs: pairs.map(([baseline, variant], block) => ({ block, baseline, variant })),
});

/** Runs an experiment as it is run: look after 3, 6 and 12 blocks, stop at the first verdict of a difference. */
function sequential(noise: Noise, prng: Prng, effect: number): boolean {
  const pairs: [number, number][] = [];
  for (let block = 0; block < 12; block++) {
    const [a, b] = noise(prng, block);
    pairs.push([a, b * effect]);
    if (![3, 6, 12].includes(pairs.length)) continue;
    const [result] = compareAll([input(pairs)], 12, 3);
    if (result?.verdict === 'faster' || result?.verdict === 'slower') return true;
  }
  return false;
}

describe('blocksAtLook', () => {
  it('counts at 3, 6 and 12 blocks, and at the planned number while under three looks', () => {
    expect([1, 2, 3, 4, 5, 6, 11, 12].map((done) => blocksAtLook(done, 12))).toEqual([1, 2, 3, 3, 3, 6, 6, 12]);
    expect([3, 4, 5].map((done) => blocksAtLook(done, 5))).toEqual([3, 3, 5]);
    expect(blocksAtLook(20, 20)).toBe(12);
    expect(blocksAtLook(1, 1)).toBe(1);
  });
});

describe('compareAll', () => {
  it('gives a verdict in at most 5.5 % of 10,000 A/A experiments', { timeout: 60_000 }, () => {
    const shares = Object.entries(NOISES).map(([name, noise]) => {
      const prng = createPrng('a-a', name);
      let verdicts = 0;
      for (let i = 0; i < 2500; i++) if (sequential(noise, prng, 1)) verdicts++;
      return verdicts / 2500;
    });
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThanOrEqual(0.055);
    // No kind of noise may hide behind the others: 0.5 % is one standard error of 2,500 experiments.
    expect(Math.max(...shares)).toBeLessThanOrEqual(0.06);
  });

  it('finds a 5 % effect at 2 % noise in at least 90 % of 1,000 experiments', { timeout: 60_000 }, () => {
    const prng = createPrng('power');
    let found = 0;
    for (let i = 0; i < 1000; i++) if (sequential(NOISES.normal as Noise, prng, 1.05)) found++;
    expect(found / 1000).toBeGreaterThanOrEqual(0.9);
  });

  it('takes the mean of log ratios and its t interval at the nominal level', () => {
    const [result] = compareAll(
      [
        input([
          [100, 110],
          [100, 112],
          [100, 108],
        ]),
      ],
      3,
      3,
    );
    const d = [1.1, 1.12, 1.08].map(Math.log);
    const mean = (d[0] as number) / 3 + (d[1] as number) / 3 + (d[2] as number) / 3;
    const sd = Math.sqrt(d.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 2);
    // t(0.99; 2 df) = 6.965 from tables.
    const half = (6.964557 * sd) / Math.sqrt(3);
    expect(result?.changePercent).toBeCloseTo(Math.expm1(mean) * 100, 9);
    expect(result?.low).toBeCloseTo(Math.expm1(mean - half) * 100, 4);
    expect(result?.high).toBeCloseTo(Math.expm1(mean + half) * 100, 4);
    expect(result?.verdict).toBe('slower');
  });

  it('calls latencies and rates faster or slower, everything else better or worse', () => {
    const up: [number, number][] = [
      [100, 150],
      [100, 151],
      [100, 149],
    ];
    const verdict = (metric: string): unknown => compareAll([input(up, metric)], 3, 3)[0]?.verdict;
    expect(verdict('ttftMsP50')).toBe('slower');
    expect(verdict('outputTokensPerS')).toBe('faster');
    expect(verdict('costPerMillionOutputTokens')).toBe('worse');
    expect(verdict('sloAttainment')).toBe('better');
  });

  it('says nothing with one block, and asks for a third with two', () => {
    const one = compareAll([input([[100, 300]])], 1, 3)[0];
    expect(one).toEqual({
      changePercent: expect.closeTo(200, 9),
      low: null,
      high: null,
      verdict: null,
      moreBlocks: null,
    });
    const two = compareAll(
      [
        input([
          [100, 300],
          [100, 301],
        ]),
      ],
      3,
      3,
    )[0];
    expect(two).toMatchObject({ verdict: 'too noisy', moreBlocks: 1 });
  });

  it('calls a difference within the band none, and a wide interval too noisy with the blocks that would decide', () => {
    const same = compareAll(
      [
        input([
          [100, 100.1],
          [100, 99.9],
          [100, 100.05],
        ]),
      ],
      3,
      3,
    )[0];
    expect(same?.verdict).toBe('no significant difference');
    const noisy = compareAll(
      [
        input([
          [100, 112],
          [100, 104],
          [100, 109],
        ]),
      ],
      3,
      3,
    )[0];
    expect(noisy?.verdict).toBe('too noisy');
    expect(noisy?.moreBlocks).toBeGreaterThan(0);
    expect(noisy?.moreBlocks).toBeLessThan(10);
  });

  it('gives other metrics an interval and no verdict, and null where no pair is above zero', () => {
    const results = compareAll(
      [
        input(
          [
            [1, 2],
            [1, 2.1],
            [1, 1.9],
          ],
          'e2eMsP50',
          false,
        ),
        input([[0, 1]]),
      ],
      3,
      3,
    );
    expect(results[0]).toMatchObject({ verdict: null, moreBlocks: null });
    expect(results[0]?.low).toBeGreaterThan(0);
    expect(results[1]).toBeNull();
  });

  it('widens intervals with the number of primary comparisons (Holm), so that interval and verdict agree', () => {
    const clear = input([
      [100, 130],
      [100, 131],
      [100, 129],
    ]);
    const mild = input(
      [
        [100, 110],
        [100, 112],
        [100, 108],
      ],
      'tpotMsP50',
    );
    const alone = compareAll([mild], 3, 3)[0];
    const family = compareAll([mild, clear, ...Array.from({ length: 8 }, () => mild)], 3, 3);
    expect(alone?.verdict).toBe('slower');
    expect(family[1]?.verdict).toBe('slower');
    expect(family[0]?.verdict).toBe('too noisy');
    expect(family[0]?.low).toBeLessThan(0);
  });
});
