import { describe, expect, it } from 'vitest';
import { experimentSpecSchema } from '@/server/core/run/experiment';
import { type BenchOptions, benchSpec, benchWorkload } from '@/workers/cli/bench-spec';

const options: BenchOptions = {
  url: 'http://h:1',
  model: 'm',
  endpoint: 'completions',
  isl: 256,
  osl: 64,
  prefixTokens: 0,
  warmup: 10,
  timeout: 60,
  seed: 1,
};

describe('benchWorkload', () => {
  it('is one client in a closed loop unless told otherwise', () => {
    expect(benchWorkload(options).loads).toEqual([{ mode: 'closed', concurrency: 1 }]);
    expect(benchWorkload({ ...options, concurrency: 8 }).loads).toEqual([{ mode: 'closed', concurrency: 8 }]);
    expect(benchWorkload({ ...options, rate: 5 }).loads).toEqual([{ mode: 'poisson', ratePerS: 5 }]);
    const constant = benchWorkload({ ...options, rate: 5, arrivals: 'constant' });
    expect(constant.loads).toEqual([{ mode: 'constant', ratePerS: 5 }]);
  });

  it('fixes lengths only when asked, and reads limits', () => {
    expect(benchWorkload(options).ignoreEos).toBe(false);
    const fixed = benchWorkload({ ...options, ignoreEos: true, slo: 'ttftMsP99<=500' });
    expect(fixed.ignoreEos).toBe(true);
    expect(fixed.slos).toEqual([{ metric: 'ttftMs', percentile: 99, limitMs: 500 }]);
  });

  it.each<[string, Partial<BenchOptions>]>([
    ['--workload', { workload: 'chat' }],
    ['--dataset', { dataset: 'f' }],
    ['--trace', { trace: 'f' }],
    ['one of them', { rate: 1, concurrency: 1 }],
    ['--arrivals needs --rate', { arrivals: 'poisson' }],
    ['not both', { seconds: 1, requests: 1 }],
    ['--prefix-tokens', { prefixTokens: 256 }],
    ['no http', { url: 'h:1' }],
    ['--slo', { slo: 'fast' }],
  ])('refuses with exit 2: %s', (message, change) => {
    expect(() => benchWorkload({ ...options, ...change })).toThrow(message);
    expect(() => benchWorkload({ ...options, ...change })).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});

describe('benchSpec', () => {
  it('is a valid experiment of one arm and one block, and holds no key', () => {
    const spec = benchSpec({ ...options, apiKey: 'sk-secret' }, benchWorkload(options));
    expect(experimentSpecSchema.parse(spec)).toEqual(spec);
    expect(JSON.stringify(spec)).not.toContain('sk-secret');
  });
});
