import { describe, expect, it } from 'vitest';
import {
  countOf,
  decimalsFor,
  formatAgo,
  formatBytes,
  formatChange,
  formatDuration,
  formatFixed,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSetting,
} from '@/app/_ui/format';
import { metricInfo } from '@/app/_ui/metric-info';
import { METRIC_KEYS } from '@/server/core/metrics/metric-keys';

describe('numbers', () => {
  it('give the largest of a column three significant digits and all of it the same decimals', () => {
    const column = (values: (number | null)[]) => values.map((v) => formatFixed(v, decimalsFor(values)));
    expect(column([0.0002, 0.0092, 0.0151, null])).toEqual(['0.0002', '0.0092', '0.0151', '–']);
    expect(column([409, 905.4, 921])).toEqual(['409', '905', '921']);
    expect(column([2.45, 1.1])).toEqual(['2.45', '1.10']);
    expect(decimalsFor([0, null, Number.NaN])).toBe(0);
  });

  it('show what is absent as a dash, never as 0', () => {
    for (const absent of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatNumber(absent)).toBe('–');
      expect(formatPercent(absent)).toBe('–');
      expect(formatRatio(absent)).toBe('–');
      expect(formatBytes(absent)).toBe('–');
      expect(formatDuration(absent)).toBe('–');
    }
    expect(formatNumber(0)).toBe('0');
  });

  it('have a true minus and three significant figures', () => {
    expect([921.4, 46.23, 1.126, 0.00923, -12.34].map(formatNumber)).toEqual([
      '921',
      '46.2',
      '1.13',
      '0.0092',
      '−12.3',
    ]);
    expect([-37, 121.4, 0.01].map((v) => formatPercent(v))).toEqual(['−37 %', '+121 %', '±0 %']);
    expect(formatRatio(1.254)).toBe('1.25×');
  });
});

describe('changes', () => {
  it('are coloured only where a verdict backs them, and always say it in words', () => {
    const noisy = { changePercent: 80, verdict: 'too noisy' };
    expect(formatChange({ changePercent: -37, verdict: 'faster' })).toEqual({
      text: '−37 %',
      tone: 'better',
      word: 'faster',
    });
    expect(formatChange({ changePercent: 8, verdict: 'slower' })).toEqual({
      text: '+8.0 %',
      tone: 'worse',
      word: 'slower',
    });
    expect(formatChange(noisy)).toEqual({ text: '+80 %', tone: 'none', word: 'too noisy' });
    expect(formatChange({ changePercent: 80, verdict: null }).word).toBe('no verdict');
    expect(formatChange(null).text).toBe('');
  });
});

describe('spans, sizes, counts', () => {
  it('use at most two units', () => {
    const spans = [0.4, 38, 125, 120, 4320].map(formatDuration);
    expect(spans).toEqual(['0 s', '38 s', '2 min 5 s', '2 min', '1 h 12 min']);
  });

  it('say how long ago', () => {
    const now = new Date(Date.UTC(2026, 11, 1, 12));
    const ago = [0.5, 2, 300, 10_800].map((s) => formatAgo(new Date(now.getTime() - s * 1000), now));
    expect(ago).toEqual(['just now', '2 s ago', '5 min ago', '3 h ago']);
  });

  it('count bytes by 1024', () => {
    expect([0, 512, 1536, 150 * 1024 ** 2].map(formatBytes)).toEqual(['0 B', '512 B', '1.50 KiB', '150 MiB']);
  });

  it('count things and show settings', () => {
    expect(countOf(1, 'trial')).toBe('1 trial');
    expect(countOf(1200, 'trial')).toBe('1,200 trials');
    const shown = [true, 'Q8_0', 4096, 0.25, null, [1]].map(formatSetting);
    expect(shown).toEqual(['on', 'Q8_0', '4,096', '0.25', '–', '[1]']);
  });
});

describe('metric names', () => {
  it('knows every metric of the domain, with a definition', () => {
    for (const key of METRIC_KEYS) expect(metricInfo(key).definition, key).not.toContain('No definition');
    expect(metricInfo('ttftMsP50')).toMatchObject({ label: 'TTFT p50', unit: 'ms', better: 'lower' });
    expect(metricInfo('zebra').label).toBe('zebra');
    expect(metricInfo('acceptanceRate')).toMatchObject({ unit: '%', scale: 100 });
  });
});
