import { describe, expect, it } from 'vitest';
import { descendants, type ProcessStat, parseHostCpu, parseProcessStat } from '@/workers/telemetry/proc';

describe('parseProcessStat', () => {
  it('reads times, group and start of a command with blanks and parentheses', () => {
    const line =
      '4711 (a (b) c) S 12 4711 4711 0 -1 4194304 100 0 0 0 150 50 7 3 20 0 11 0 987654 1234567 2000 18446744073709551615';
    expect(parseProcessStat(line)).toEqual({
      pid: 4711,
      parentPid: 12,
      group: 4711,
      session: 4711,
      state: 'S',
      cpuMs: 2000,
      reapedChildrenCpuMs: 100,
      startTicks: 987654,
      rssBytes: 2000 * 4096,
    });
  });
  it('refuses what is no stat line', () => expect(parseProcessStat('junk')).toBeNull());
});

describe('parseHostCpu', () => {
  it('counts idle and iowait as not busy and steal apart', () => {
    expect(parseHostCpu('cpu  10 1 5 100 4 2 3 6 9 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toEqual({
      busyMs: 210,
      stealMs: 60,
      totalMs: 1310,
    });
  });
  it('refuses a short line', () => expect(parseHostCpu('cpu 1 2 3\n')).toBeNull());
});

describe('descendants', () => {
  it('finds the whole tree whatever the order', () => {
    const at = (pid: number, parentPid: number): ProcessStat => ({
      pid,
      parentPid,
      group: 0,
      session: 0,
      state: 'S',
      cpuMs: 0,
      reapedChildrenCpuMs: 0,
      startTicks: 0,
      rssBytes: 0,
    });
    const found = descendants([at(9, 8), at(8, 5), at(5, 1), at(7, 1), at(6, 5)], 5);
    expect(found.map((p) => p.pid).sort()).toEqual([5, 6, 8, 9]);
  });
});
