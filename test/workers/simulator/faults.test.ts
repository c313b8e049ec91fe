import { describe, expect, it } from 'vitest';
import { drawFault, NO_FAULTS, parseFaults } from '@/workers/simulator/faults';

describe('parseFaults', () => {
  it('reads shares, amounts and flags', () => {
    expect(parseFaults('shed=0.1, stall=0.5@800,bundle=8,short=4,queue=0,no-usage')).toEqual({
      ...NO_FAULTS,
      shed: 0.1,
      stall: 0.5,
      stallMs: 800,
      bundle: 8,
      short: 4,
      queue: 0,
      noUsage: true,
    });
    expect(parseFaults('')).toEqual(NO_FAULTS);
  });

  it.each(['shed=2', 'shed', 'bundle=0', 'stall=0.1@x', 'explode=1', 'constructor=1'])('refuses %s', (spec) => {
    expect(() => parseFaults(spec)).toThrow(spec.split('=')[0]);
  });
});

describe('drawFault', () => {
  it('hits its share of requests, the same ones every time', () => {
    const faults = parseFaults('error=0.2');
    const hit = Array.from({ length: 2000 }, (_, i) => drawFault(faults, i));
    expect(hit.filter((f) => f === 'error').length / 2000).toBeCloseTo(0.2, 1);
    expect(hit).toEqual(Array.from({ length: 2000 }, (_, i) => drawFault(faults, i)));
  });
});
