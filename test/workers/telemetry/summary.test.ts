import { describe, expect, it } from 'vitest';
import { contentionNotes, summarizeTelemetry, type TelemetrySample } from '@/workers/telemetry/summary';

const at = (atMs: number, change: Partial<TelemetrySample> = {}): TelemetrySample => ({
  atMs,
  engineCpuMs: atMs * 0.9,
  engineMemoryBytes: null,
  ownCpuMs: atMs * 1.1,
  host: { busyMs: atMs * 1.5, stealMs: 0, totalMs: atMs * 2 },
  load1: 1,
  ...change,
});

describe('summarizeTelemetry', () => {
  it('interpolates CPU to the window and takes the peak of memory', () => {
    const samples = [
      at(1000, { engineMemoryBytes: 5 }),
      at(2000),
      at(4000, { engineMemoryBytes: 9, load1: 3 }),
      at(5000),
    ];
    const summary = summarizeTelemetry(samples, 1500, 4500);
    expect(summary.engineCpuMs).toBeCloseTo(2700, 6);
    expect(summary.peakMemoryBytes).toBe(9);
    expect(summary.foreignCpuShare).toBeCloseTo(0.2, 6);
    expect(summary.load1Max).toBe(3);
  });

  it('says null, not 0, for what no sample covers', () => {
    expect(summarizeTelemetry([at(1000), at(2000)], 1500, 2500).engineCpuMs).toBeNull();
    expect(summarizeTelemetry([at(1, { engineCpuMs: null }), at(3)], 1, 3).engineCpuMs).toBeNull();
    expect(summarizeTelemetry([], 0, 1).peakMemoryBytes).toBeNull();
  });
});

describe('contentionNotes', () => {
  const quiet = { engineCpuMs: 1, peakMemoryBytes: 1, foreignCpuShare: 0.02, load1Max: 1.2 };
  it('is silent on a quiet host', () => expect(contentionNotes(quiet, 2)).toEqual([]));
  it('names who took the time', () => {
    expect(contentionNotes({ ...quiet, foreignCpuShare: 0.35, load1Max: 3.14 }, 2)).toEqual([
      "other processes took 35 % of the host's CPU time (1-minute load 3.1 on 2 cores)",
    ]);
  });
});
