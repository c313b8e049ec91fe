import { describe, expect, it } from 'vitest';
import * as checks from '@/server/core/metrics/checks';
import type { RequestRecord } from '@/server/core/metrics/records';
import { answered, failed, pointInput } from '@/test/fixtures/request-records';

const back2back = (n: number): RequestRecord[] => Array.from({ length: n }, (_, i) => answered(i * 150));

describe('checkOwnRecords', () => {
  it('accepts records whose parts add up', () => {
    const records = [answered(0, { tailMs: 7 }), answered(10, { tokens: 1 }), failed(20, 'error')];
    expect(checks.checkOwnRecords(pointInput(records)).invalid).toEqual([]);
  });

  it.each<[string, Partial<RequestRecord>]>([
    ['times run backwards', { sentMs: -1 }],
    ['times run backwards', { endMs: 10 }],
    ['chunks miss tokens', { outputTokens: 20 }],
    ['chunks disagree', { firstTokenMs: 55 }],
  ])('refuses a record: %s', (why, change) => {
    const { invalid } = checks.checkOwnRecords(pointInput([answered(0, {}, change)]));
    expect(invalid[0]).toContain(why);
  });
});

describe('checkLittlesLaw', () => {
  it('holds for a steady load', () => {
    const result = checks.checkLittlesLaw(pointInput(back2back(60), { window: { startMs: 0, endMs: 9000 } }), false);
    expect(result).toEqual({ invalid: [], notes: [] });
  });

  it('finds requests that were in flight but never ended', () => {
    const hanging = Array.from({ length: 3 }, () => answered(0, {}, { endMs: 20_000 }));
    const result = checks.checkLittlesLaw(pointInput([...back2back(60), ...hanging]), false);
    expect(result.invalid[0]).toMatch(/not possible/);
  });

  it('is skipped with a note in a short window or a saturated one', () => {
    const input = pointInput(back2back(4), { window: { startMs: 0, endMs: 600 } });
    expect(checks.checkLittlesLaw(input, false).notes[0]).toContain('shorter');
    expect(checks.checkLittlesLaw(input, true).notes[0]).toContain('saturated');
  });
});

describe('checkDispatch', () => {
  it('blames the client that misses arrivals or sends them late', () => {
    const input = pointInput(back2back(60));
    const missing = { ...input, client: { ...input.client, scheduled: 100, sent: 97 } };
    expect(checks.checkDispatch(missing).invalid[0]).toContain('sent 97 of 100');
    const one = [...back2back(90), answered(0, { lagMs: 30 })];
    expect(checks.checkDispatch(pointInput(one)).invalid).toEqual([]);
    const two = pointInput([...one, answered(0, { lagMs: 30 })]);
    expect(checks.checkDispatch(two).invalid[0]).toContain('2 of 92 requests left more than 10 ms late');
  });

  it('allows 5 % of a long TTFT', () => {
    const slow = Array.from({ length: 10 }, (_, i) => answered(i * 1000, { ttftMs: 900, lagMs: 40 }));
    expect(checks.checkDispatch(pointInput(slow)).invalid).toEqual([]);
  });
});

describe('checkOutcomes', () => {
  it('lets shed requests pass and stops at over 5 % of errors and time-outs', () => {
    const shed = [...back2back(5), ...Array.from({ length: 5 }, () => failed(0, 'shed'))];
    expect(checks.checkOutcomes(pointInput(shed)).invalid).toEqual([]);
    const atLimit = [...back2back(19), failed(0, 'timeout')];
    expect(checks.checkOutcomes(pointInput(atLimit)).invalid).toEqual([]);
    const over = [...back2back(18), failed(0, 'timeout'), failed(0, 'error')];
    expect(checks.checkOutcomes(pointInput(over)).invalid[0]).toContain('10.0 % of requests failed');
    expect(checks.checkOutcomes(pointInput([])).invalid[0]).toContain('no request');
  });
});

describe('checkLengths', () => {
  it('allows one token more or less where lengths are fixed', () => {
    const near = [answered(0, { tokens: 10 }, { requestedOutputTokens: 11 })];
    expect(checks.checkLengths(pointInput(near)).invalid).toEqual([]);
    const off = [answered(0, { tokens: 9 }, { requestedOutputTokens: 11 })];
    expect(checks.checkLengths(pointInput(off)).invalid[0]).toContain('9 instead of 11');
  });
});

describe('isSaturated', () => {
  /** 10 requests a second arrive; each ends `slowdown` × as late as the one before it arrived. */
  const openLoop = (slowdown: number) =>
    pointInput(
      Array.from({ length: 100 }, (_, i) => answered(i * 100, {}, { endMs: i * 100 * slowdown + 150 })),
      { load: { mode: 'poisson', ratePerS: 10 } },
    );

  it('needs a growing queue', () => {
    expect(checks.isSaturated(openLoop(1))).toBe(false);
    expect(checks.isSaturated(openLoop(1.5))).toBe(true);
  });

  it('never happens in a closed loop', () => {
    expect(checks.isSaturated({ ...openLoop(1.5), load: { mode: 'closed', concurrency: 4 } })).toBe(false);
  });
});

describe('checkHost', () => {
  it('says a busy host, a lagging client and an unstable warm-up without making anything invalid', () => {
    const input = pointInput(back2back(10));
    const client = { ...input.client, loadAverage1: 3.1, stealShare: 0.1, eventLoopLagMsP99: 30, warmupStable: false };
    const { invalid, notes } = checks.checkHost({ ...input, client });
    expect(invalid).toEqual([]);
    expect(notes).toHaveLength(4);
    expect(notes[0]).toBe('the host was busy: 1-minute load 3.1 on 2 cores');
  });
});

describe('checkCounts', () => {
  it('notes missing usage, more chunks than tokens and prompts of another length', () => {
    const noUsage = checks.checkCounts(pointInput([answered(0, {}, { inputTokens: null })]));
    expect(noUsage.notes[0]).toContain('no usage');
    const other = checks.checkCounts(pointInput([answered(0, {}, { inputTokens: 130 })]));
    expect(other.notes[0]).toContain('130 tokens');
    const input = pointInput([answered(0)]);
    const check = (reported: number) => ({
      ...input,
      client: { ...input.client, tokenCheck: { reported, counted: 16 } },
    });
    expect(checks.checkCounts(check(17)).notes).toEqual([]);
    expect(checks.checkCounts(check(18)).notes[0]).toContain('18 output tokens where its stream holds 16');
    const more = checks.checkCounts(pointInput([answered(0, {}, { outputTokens: 8 })]));
    expect(more.notes[0]).toContain('more chunks');
  });
});
