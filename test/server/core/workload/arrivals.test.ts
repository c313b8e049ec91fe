import { describe, expect, it } from 'vitest';
import { scheduleArrivals } from '@/server/core/workload/arrivals/schedule';

describe('scheduleArrivals', () => {
  it('has no schedule for a closed loop', () => {
    expect(scheduleArrivals({ mode: 'closed', concurrency: 4 }, 1000, 1)).toBeNull();
  });

  it('spaces constant arrivals evenly inside the window', () => {
    expect(scheduleArrivals({ mode: 'constant', ratePerS: 4 }, 1000, 1)).toEqual([125, 375, 625, 875]);
    expect(scheduleArrivals({ mode: 'constant', ratePerS: 0.5 }, 1000, 1)).toEqual([]);
  });

  it('draws Poisson arrivals whose gaps are exponential, the same for the same seed', () => {
    const load = { mode: 'poisson' as const, ratePerS: 100 };
    const times = scheduleArrivals(load, 200_000, 7, 'measure') ?? [];
    expect(scheduleArrivals(load, 200_000, 7, 'measure')).toEqual(times);
    expect(scheduleArrivals(load, 200_000, 8, 'measure')).not.toEqual(times);
    const gaps = times.map((t, i) => t - (times[i - 1] ?? 0));
    const mean = gaps.reduce((sum, g) => sum + g, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, g) => sum + (g - mean) ** 2, 0) / gaps.length);
    expect(mean).toBeGreaterThan(9.8);
    expect(mean).toBeLessThan(10.2);
    // An exponential's deviation is its mean.
    expect(deviation / mean).toBeGreaterThan(0.97);
    expect(deviation / mean).toBeLessThan(1.03);
    expect(Math.max(...times)).toBeLessThan(200_000);
    expect(gaps.every((g) => g >= 0)).toBe(true);
  });
});
