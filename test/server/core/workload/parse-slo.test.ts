import { describe, expect, it } from 'vitest';
import { parseSlos } from '@/server/core/workload/parse-slo';

describe('parseSlos', () => {
  it('reads metric, percentile and limit', () => {
    expect(parseSlos('ttftMsP99<=500, tpotMsP95<=50.5,e2eMs<=9000,itlMsP999<=80')).toEqual([
      { metric: 'ttftMs', percentile: 99, limitMs: 500 },
      { metric: 'tpotMs', percentile: 95, limitMs: 50.5 },
      { metric: 'e2eMs', percentile: 99, limitMs: 9000 },
      { metric: 'itlMs', percentile: 99.9, limitMs: 80 },
    ]);
    expect(parseSlos('')).toEqual([]);
  });

  it.each(['ttft<=5', 'ttftMsP99<500', 'ttftMsP0<=5', 'ttftMsP99<=0', 'ttftMsP100<=5'])('refuses %s', (text) => {
    expect(() => parseSlos(text)).toThrow(text);
  });
});
