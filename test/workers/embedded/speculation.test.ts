import { describe, expect, it } from 'vitest';
import { uniform } from '@/workers/embedded/random';
import { sampleResidual, verifyByChoice, verifyBySampling } from '@/workers/embedded/speculation';

describe('verifyByChoice', () => {
  it('accepts up to the first other choice and takes that', () => {
    expect(verifyByChoice([5, 6, 7], [5, 6, 9, 1])).toEqual({ accepted: 2, next: 9 });
    expect(verifyByChoice([5, 6], [5, 6, 8])).toEqual({ accepted: 2, next: 8 });
    expect(verifyByChoice([], [3])).toEqual({ accepted: 0, next: 3 });
  });

  it('throws where the target chose too little', () => {
    expect(() => verifyByChoice([5], [5])).toThrow();
  });
});

const p = new Map([
  [0, 0.5],
  [1, 0.3],
  [2, 0.15],
  [3, 0.05],
]);

function draw(distribution: ReadonlyMap<number, number>, random: () => number): number {
  let at = random();
  for (const [token, probability] of distribution) {
    at -= probability;
    if (at < 0) return token;
  }
  return [...distribution.keys()].at(-1) ?? -1;
}

describe('verifyBySampling', () => {
  const proposals: [string, ReadonlyMap<number, number>][] = [
    ['the same distribution', p],
    [
      'another one',
      new Map([
        [3, 0.4],
        [1, 0.4],
        [0, 0.2],
      ]),
    ],
    ['one that misses most tokens', new Map([[2, 1]])],
    [
      'one with foreign tokens',
      new Map([
        [7, 0.6],
        [0, 0.4],
      ]),
    ],
  ];

  it.each(proposals)('keeps the target distribution under %s', (_name, q) => {
    const n = 40_000;
    const random = uniform(1234);
    const seen = new Map<number, number>();
    for (let i = 0; i < n; i++) {
      const draft = draw(q, random);
      const { accepted, next } = verifyBySampling([draft], [q], [p], -1, random);
      const first = accepted === 1 ? draft : next;
      seen.set(first, (seen.get(first) ?? 0) + 1);
    }
    // Pearson's chi-squared with 3 degrees of freedom: 16.27 is exceeded once in a thousand.
    const chi2 = [...p].reduce((sum, [token, pi]) => sum + ((seen.get(token) ?? 0) - n * pi) ** 2 / (n * pi), 0);
    expect(chi2).toBeLessThan(16.27);
    expect([...seen.keys()].every((token) => p.has(token))).toBe(true);
  });

  it('accepts with the overlap of both distributions', () => {
    const q = new Map([
      [3, 0.4],
      [1, 0.4],
      [0, 0.2],
    ]);
    const overlap = 0.05 + 0.3 + 0.2;
    const random = uniform(99);
    let accepted = 0;
    for (let i = 0; i < 20_000; i++) accepted += verifyBySampling([draw(q, random)], [q], [p], -1, random).accepted;
    expect(accepted / 20_000).toBeCloseTo(overlap, 1);
  });

  it('takes the bonus token when all drafts hold', () => {
    const sure = new Map([[4, 1]]);
    expect(verifyBySampling([4, 4], [sure, sure], [sure, sure], 9, uniform(1))).toEqual({ accepted: 2, next: 9 });
  });
});

describe('sampleResidual', () => {
  it('never draws what the draft had more of', () => {
    const random = uniform(5);
    const q = new Map([
      [0, 0.9],
      [1, 0.1],
    ]);
    for (let i = 0; i < 500; i++) expect(sampleResidual(p, q, random)).not.toBe(0);
  });

  it('never draws a token of probability 0, not even where rounding leaves a rest', () => {
    const held = new Map([
      [4, 0.7],
      [2, 0.3],
      [0, 0],
    ]);
    expect(sampleResidual(held, held, () => 1)).toBe(2);
  });
});
