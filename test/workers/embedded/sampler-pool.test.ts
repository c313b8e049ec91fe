import { describe, expect, it } from 'vitest';
import { pooled } from '@/workers/embedded/sampler-pool';

/** Behaves like the native class in what matters: its random numbers start afresh when the seed changes. */
class Sampler {
  static made = 0;
  seed: number | null = null;
  drawn = 0;
  constructor(readonly model: object) {
    Sampler.made++;
  }
  applyConfig({ seed }: { seed: number }): void {
    if (seed === this.seed) return;
    this.seed = seed;
    this.drawn = 0;
  }
  draw(): string {
    return `${this.seed}:${this.drawn++}`;
  }
  dispose(): void {
    throw new Error('a native sampler was really disposed');
  }
}

describe('pooled', () => {
  it('gives a disposed sampler again, to the same model only', () => {
    const Pooled = pooled(Sampler);
    const [a, b] = [{}, {}];
    const first = new Pooled(a);
    const second = new Pooled(a);
    expect(second).not.toBe(first);
    first.dispose();
    expect(new Pooled(b)).not.toBe(first);
    expect(new Pooled(a)).toBe(first);
  });

  it('gives a sampler to one user, however often the last one disposed of it', () => {
    const Pooled = pooled(Sampler);
    const model = {};
    const first = new Pooled(model);
    first.dispose();
    first.dispose();
    expect(new Pooled(model)).toBe(first);
    expect(new Pooled(model)).not.toBe(first);
  });

  it('makes as many as are in use at a time', () => {
    const Pooled = pooled(Sampler);
    const model = {};
    const before = Sampler.made;
    for (let i = 0; i < 100; i++) for (const s of [new Pooled(model), new Pooled(model)]) s.dispose();
    expect(Sampler.made - before).toBeLessThanOrEqual(2);
  });

  it('draws the same for a seed whether or not the last user had that seed', () => {
    const Pooled = pooled(Sampler);
    const model = {};
    for (const seed of [7, 7, 1, 1, 0, 0]) {
      const sampler = new Pooled(model);
      sampler.applyConfig({ seed });
      expect(sampler.draw()).toMatch(/:0$/);
      sampler.dispose();
    }
  });
});
