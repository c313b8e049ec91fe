import { describe, expect, it } from 'vitest';
import {
  countOf,
  decimalsFor,
  formatAgo,
  formatBytes,
  formatChange,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSetting,
} from '@/app/_ui/format';
import { isShare, metricInfo } from '@/app/_ui/metric-info';
import { METRIC_KEYS } from '@/server/core/metrics/metric-keys';

describe('numbers', () => {
  it('gives the largest of a column three significant digits and all of it the same decimals', () => {
    const kl = [0.0002, 0.0092, 0.0151, null];
    expect(kl.map((v) => formatNumber(v, decimalsFor(kl)))).toEqual(['0.0002', '0.0092', '0.0151', '–']);
    expect([409, 905.4, 921].map((v) => formatNumber(v, decimalsFor([409, 905.4, 921])))).toEqual([
      '409',
      '905',
      '921',
    ]);
    expect(decimalsFor([2.45, 1.1])).toBe(2);
    expect(decimalsFor([0, null])).toBe(0);
  });

  it('shows what is absent as a dash, never as 0', () => {
    for (const absent of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatNumber(absent)).toBe('–');
      expect(formatPercent(absent)).toBe('–');
      expect(formatRatio(absent)).toBe('–');
      expect(formatBytes(absent)).toBe('–');
    }
    expect(formatNumber(0)).toBe('0');
  });

  it('writes a true minus and no sign on a zero', () => {
    expect(formatNumber(-12.34, 1)).toBe('−12.3');
    expect(formatNumber(-0.001, 1)).toBe('0.0');
    expect(formatPercent(-37)).toBe('−37 %');
    expect(formatPercent(121.4)).toBe('+121 %');
    expect(formatPercent(0.01)).toBe('0.0 %');
  });
});

describe('changes', () => {
  it('colours a change only where a verdict backs it, and always says the verdict in words', () => {
    expect(formatChange({ changePercent: -37, verdict: 'faster' })).toEqual({
      text: '−37 %',
      tone: 'better',
      word: 'faster',
    });
    expect(formatChange({ changePercent: 8, verdict: 'slower' }).tone).toBe('worse');
    expect(formatChange({ changePercent: 80, verdict: 'too noisy' })).toEqual({
      text: '+80 %',
      tone: 'none',
      word: 'too noisy',
    });
    expect(formatChange({ changePercent: 80, verdict: null }).word).toBe('no verdict');
    expect(formatChange(null).text).toBe('');
  });
});

describe('spans and sizes', () => {
  it('uses at most two units', () => {
    expect([850, 38_000, 125_000, 120_000, 11_520_000, 353_000_000].map(formatDuration)).toEqual([
      '850 ms',
      '38 s',
      '2 min 5 s',
      '2 min',
      '3 h 12 min',
      '4 d 2 h',
    ]);
  });

  it('says how long ago', () => {
    const now = Date.UTC(2026, 11, 1, 12, 0, 0);
    const ago = (ms: number) => formatAgo(new Date(now - ms).toISOString(), now);
    expect([500, 2_000, 300_000, 10_800_000].map(ago)).toEqual(['now', '2 s ago', '5 min ago', '3 h ago']);
    expect(formatAgo(null, now)).toBe('never');
  });

  it('counts bytes by 1024', () => {
    expect([0, 512, 1536, 150 * 1024 ** 2, 3 * 1024 ** 3].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.5 KiB',
      '150 MiB',
      '3.0 GiB',
    ]);
  });

  it('counts things and shows settings', () => {
    expect(countOf(1, 'trial')).toBe('1 trial');
    expect(countOf(1200, 'trial')).toBe('1,200 trials');
    expect([true, 'Q8_0', 4096, 0.25, null, [1]].map(formatSetting)).toEqual([
      'on',
      'Q8_0',
      '4,096',
      '0.250',
      '–',
      '[1]',
    ]);
  });
});

describe('metric names', () => {
  it('knows every metric of the domain, with a definition', () => {
    for (const key of METRIC_KEYS) expect(metricInfo(key).definition, key).not.toContain('No definition');
    expect(metricInfo('ttftMsP50')).toMatchObject({ label: 'TTFT p50', unit: 'ms', better: 'lower' });
    expect(metricInfo('zebra').label).toBe('zebra');
    expect(isShare('acceptanceRate')).toBe(true);
  });
});
