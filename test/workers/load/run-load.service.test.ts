import { afterEach, describe, expect, it } from 'vitest';
import { measurePoint } from '@/server/core/metrics/measure-point';
import type { SecondRow } from '@/server/core/metrics/records';
import { type Load, workloadSchema } from '@/server/core/workload/workload';
import type { LoadOptions, LoadPhase } from '@/workers/load/load-types';
import { runLoad } from '@/workers/load/run-load';
import { parseFaults } from '@/workers/simulator/faults';
import { type Simulator, type SimulatorOptions, startSimulator } from '@/workers/simulator/simulator';

let simulator: Simulator | null = null;
afterEach(async () => {
  await simulator?.stop();
  simulator = null;
});

async function simulate(load: Load, options: Partial<SimulatorOptions>, rest: Partial<LoadOptions> = {}, shape = {}) {
  simulator = await startSimulator({ ttftMs: 20, itlMs: 4, ...options });
  const workload = workloadSchema.parse({
    id: 'w',
    nodeId: null,
    title: 'w',
    role: 'target',
    endpoint: 'completions',
    inputTokens: 80,
    outputTokens: 12,
    prefixTokens: 20,
    loads: [load],
    warmupS: 1,
    windowS: 2,
    requestTimeoutS: 5,
    ...shape,
  });
  const job = {
    url: simulator.url,
    model: 'simulator',
    apiKey: null,
    workload,
    load,
    loadIndex: 0,
    seed: 5,
    blockIndex: 2,
  };
  const result = await runLoad({ ...job, request: {}, maxRequests: null, onEngineHost: true, counters: null, ...rest });
  const point = measurePoint({ ...result, workload, load, gpus: null, pricePerHourUsd: null });
  return { result, point, log: simulator.log, measured: result.records.filter((r) => r.phase === 'measure') };
}

describe('runLoad', () => {
  it('keeps a closed loop full and matches the simulator’s log one to one', async () => {
    const phases: LoadPhase[] = [];
    const rows: SecondRow[] = [];
    const hooks = { onPhase: (p: LoadPhase) => phases.push(p), onSecond: (row: SecondRow) => rows.push(row) };
    const { result, point, log, measured } = await simulate({ mode: 'closed', concurrency: 8 }, {}, hooks);
    expect(phases).toEqual(['sizing', 'warming', 'measuring', 'draining']);
    const byId = new Map(log.map((entry) => [entry.requestId, entry]));
    expect(measured.length).toBeGreaterThan(20);
    for (const record of measured) {
      const entry = byId.get(`5-2-0-measure-${record.index}`);
      expect(entry?.writesNs).toHaveLength(record.chunkTimesMs.length);
      expect(entry?.promptTokens).toBe(record.inputTokens);
      record.chunkTimesMs.forEach((atMs, i) => {
        const writtenMs = Number((entry?.writesNs[i] ?? 0n) - result.zeroNs) / 1e6;
        // A stamp never precedes its bytes; 0.1 ms for the order of two clock readings.
        expect(atMs - writtenMs).toBeGreaterThan(-0.1);
      });
    }
    expect(new Set(measured.map((r) => r.index)).size).toBe(measured.length);
    expect(point.outcomes).toEqual({ ok: measured.length, shed: 0, error: 0, timeout: 0 });
    expect(result.client.sizedInputTokens).toBe(80);
    expect(rows.filter((row) => row.t >= 0).map((row) => row.t)).toEqual([0, 1]);
  });

  it('sends an open loop by its schedule, the same in every run', async () => {
    const load = { mode: 'poisson' as const, ratePerS: 25 };
    const arrivals = async () => {
      const { result, measured } = await simulate(load, {});
      await simulator?.stop();
      expect(measured).toHaveLength(result.client.scheduled);
      expect(measured.every((r) => r.sentMs >= r.scheduledMs)).toBe(true);
      return measured.sort((a, b) => a.index - b.index).map((r) => r.scheduledMs - result.window.startMs);
    };
    const [first, second] = [await arrivals(), await arrivals()];
    expect(first).toHaveLength(second.length);
    first.forEach((atMs, i) => {
      expect(Math.abs(atMs - (second[i] ?? 0))).toBeLessThan(0.01);
    });
  });

  it('stops after the number of requests asked for', async () => {
    const { measured } = await simulate({ mode: 'closed', concurrency: 3 }, {}, { maxRequests: 10 });
    expect(measured).toHaveLength(10);
  });

  it('tells shed, failed and cut requests apart, and invalidates a point with over 5 % of errors', async () => {
    const faults = parseFaults('shed=0.2,error=0.15,cut=0.15');
    const { point } = await simulate({ mode: 'closed', concurrency: 8 }, { faults });
    expect(point.outcomes.shed).toBeGreaterThan(0);
    expect(point.outcomes.error).toBeGreaterThan(0);
    expect(point.outcomes.ok).toBeGreaterThan(0);
    expect(point.valid).toBe(false);
    expect(point.reasons.join()).toMatch(/failed or timed out/);
  });

  it('times a stalled stream out', async () => {
    const faults = parseFaults('stall=0.5@60000');
    const { point } = await simulate({ mode: 'closed', concurrency: 4 }, { faults }, {}, { requestTimeoutS: 1 });
    expect(point.outcomes.timeout).toBeGreaterThan(0);
  });

  it('sees a bundled stream, a short answer and missing usage for what they are', async () => {
    const faults = parseFaults('bundle=6,no-usage');
    const bundled = await simulate({ mode: 'closed', concurrency: 2 }, { faults });
    // Without usage only chunks can be counted: two for twelve tokens, so the length check speaks.
    expect(bundled.point.reasons.join()).toContain('no usage');
    await simulator?.stop();
    const counted = await simulate({ mode: 'closed', concurrency: 2 }, { faults: parseFaults('bundle=6') });
    expect(counted.point.metrics.tpotMsP50).toMatchObject({ value: null, mark: 'bundled by server or proxy' });
    await simulator?.stop();
    const short = await simulate({ mode: 'closed', concurrency: 2 }, { faults: parseFaults('short=4') });
    expect(short.point.reasons.join()).toContain('8 instead of 12');
  });

  it('fails with the server’s own words, and with an AbortError when it is stopped', async () => {
    const faults = parseFaults('error=1');
    await expect(simulate({ mode: 'closed', concurrency: 1 }, { faults })).rejects.toThrow(/simulated failure/);
    await simulator?.stop();
    const abort = new AbortController();
    const onPhase = (phase: LoadPhase): void => {
      if (phase === 'measuring') abort.abort();
    };
    const stopped = simulate({ mode: 'closed', concurrency: 2 }, {}, { onPhase, signal: abort.signal });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reads counters and processes at the window’s edges', async () => {
    let cpuMs = 0;
    simulator = await startSimulator({ ttftMs: 20, itlMs: 4 });
    const { url } = simulator;
    const counters = { url: `${url}/metrics`, names: { generatedTokens: 'simulator_generated_tokens_total' } };
    const sample = async () => {
      cpuMs += 100;
      return { cpuMs, residentBytes: 5e6, joules: null };
    };
    const { result } = await simulate({ mode: 'closed', concurrency: 2 }, {}, { url, counters, sample });
    const tokens = (result.counters?.after.generatedTokens ?? 0) - (result.counters?.before.generatedTokens ?? 0);
    expect(tokens).toBeGreaterThan(100);
    expect(result.usage).toMatchObject({ peakMemoryBytes: 5e6, joules: null });
    expect(result.usage?.cpuMs).toBeGreaterThan(0);
  });
});
