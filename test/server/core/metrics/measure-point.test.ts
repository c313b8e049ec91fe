import { describe, expect, it } from 'vitest';
import { measurePoint } from '@/server/core/metrics/measure-point';
import { answered, failed, pointInput } from '@/test/fixtures/request-records';

/** 60 requests back to back, 150 ms each: first token at 50 ms, then ten more every 10 ms. */
const steady = (n = 60) => Array.from({ length: n }, (_, i) => answered(i * 150, {}, { index: i }));

describe('measurePoint', () => {
  it('computes each metric by its definition', () => {
    const point = measurePoint(pointInput(steady(), { window: { startMs: 0, endMs: 9000 }, pricePerHourUsd: 3.6 }));
    const value = (key: string): number | null | undefined => point.metrics[key]?.value;
    expect(point.valid).toBe(true);
    expect(value('ttftMsP50')).toBeCloseTo(50, 9);
    expect(value('tpotMsMean')).toBeCloseTo(10, 9);
    expect(value('itlMsP99')).toBeCloseTo(10, 9);
    expect(value('e2eMsP95')).toBeCloseTo(150, 9);
    // 60 × 11 tokens in 9 s; the last token of the last request lies on the window's end and is out.
    expect(value('outputTokensPerS')).toBeCloseTo(659 / 9, 9);
    expect(value('totalTokensPerS')).toBeCloseTo((659 + 6000) / 9, 9);
    expect(value('requestsPerS')).toBeCloseTo(59 / 9, 9);
    // 3.6 USD an hour is 0.001 USD a second.
    expect(value('costPerMillionOutputTokens')).toBeCloseTo((0.001 / (659 / 9)) * 1e6, 6);
    expect(point.outcomes).toEqual({ ok: 60, shed: 0, error: 0, timeout: 0 });
  });

  it('leaves warm-up and drain out of latencies, but counts their tokens inside the window', () => {
    const records = [
      answered(-100, { ttftMs: 150, tokens: 5 }, { phase: 'warmup' }),
      answered(100, {}),
      answered(900, { tokens: 11 }, { phase: 'drain' }),
    ];
    const point = measurePoint(pointInput(records, { window: { startMs: 0, endMs: 1000 } }));
    expect(point.requests).toBe(1);
    expect(point.metrics.ttftMsP50?.n).toBe(1);
    // Warm-up: 50 … 90 ms, all inside; drain: 950 … 990 inside, five of eleven.
    expect(point.metrics.outputTokensPerS?.value).toBe(5 + 11 + 5);
  });

  it('gives no price figure without a price, with the reason', () => {
    const { metrics } = measurePoint(pointInput(steady()));
    expect(metrics.costPerMillionOutputTokens).toMatchObject({ value: null, mark: 'the hardware has no price' });
  });

  it('nulls TPOT and ITL of a bundled stream, and says so', () => {
    const bundle = { chunkTimesMs: [60, 120], chunkTokens: [6, 6], outputTokens: 12, firstChunkTokens: 6 };
    const rest = { ...bundle, firstTokenMs: 60, lastTokenMs: 120, endMs: 120, requestedOutputTokens: 12 };
    const { metrics, reasons, valid } = measurePoint(pointInput([answered(0, {}, rest)]));
    expect(metrics.tpotMsP50).toMatchObject({ value: null, mark: 'bundled by server or proxy' });
    expect(metrics.itlMsMean?.value).toBeNull();
    expect(metrics.iclMsMean?.value).toBe(60);
    expect(metrics.ttftMsP50?.value).toBe(60);
    expect(reasons.join()).toContain('bundled');
    expect(valid).toBe(true);
  });

  it('counts goodput by every limit; a request without the figure is not good', () => {
    const input = pointInput([
      answered(0),
      answered(200, { ttftMs: 90 }),
      answered(400, { tokens: 1 }),
      failed(600, 'shed'),
    ]);
    const workload = {
      ...input.workload,
      ignoreEos: false,
      slos: [
        { metric: 'ttftMs' as const, limitMs: 60, percentile: 99 },
        { metric: 'tpotMs' as const, limitMs: 20, percentile: 99 },
      ],
    };
    const { metrics } = measurePoint({ ...input, workload });
    expect(metrics.sloAttainment?.value).toBe(0.25);
    expect(metrics.goodputRequestsPerS?.value).toBe(0.1);
    expect(metrics.shedRate?.value).toBe(0.25);
  });

  it('reads acceptance, tokens per step, prefix hits and KV use from counters around the window', () => {
    const names = { draftTokens: 100, acceptedTokens: 50, generatedTokens: 200, promptTokens: 10, preemptions: 0 };
    const counters = {
      before: names,
      after: { draftTokens: 300, acceptedTokens: 150, generatedTokens: 400, promptTokens: 10, preemptions: 2 },
      kvUsageMax: 0.5,
    };
    const { metrics } = measurePoint(pointInput(steady(), { counters }));
    expect(metrics.acceptanceRate?.value).toBe(0.5);
    // 200 tokens, 100 of them accepted drafts: 100 steps of two tokens.
    expect(metrics.tokensPerStep?.value).toBe(2);
    expect(metrics.preemptions?.value).toBe(2);
    expect(metrics.kvCacheUsageMax?.value).toBe(0.5);
    expect(metrics.prefixHitRate?.value).toBe(0);
  });

  it('takes no counter that went backwards: the server was restarted', () => {
    const counters = { before: { preemptions: 5 }, after: { preemptions: 1 }, kvUsageMax: null };
    expect(measurePoint(pointInput(steady(), { counters })).metrics.preemptions).toBeUndefined();
  });

  it('divides the engine’s CPU time and energy by the tokens of the window', () => {
    const usage = { cpuMs: 1318, joules: 659, peakMemoryBytes: 1e9 };
    const { metrics } = measurePoint(pointInput(steady(), { usage, window: { startMs: 0, endMs: 9000 } }));
    expect(metrics.cpuMsPerOutputToken?.value).toBeCloseTo(2, 9);
    expect(metrics.joulesPerOutputToken?.value).toBeCloseTo(1, 9);
    expect(metrics.powerWattsMean?.value).toBeCloseTo(659 / 9, 9);
    expect(metrics.peakMemoryBytes?.value).toBe(1e9);
  });
});
