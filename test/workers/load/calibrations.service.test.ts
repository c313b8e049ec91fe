import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StampError } from '@/server/core/metrics/stamp-error';
import { calibrate, streamsOf } from '@/workers/load/calibrate';
import { createCalibrations } from '@/workers/load/calibrations';

let folder: string;
const { signal } = new AbortController();
const four = { mode: 'closed' as const, concurrency: 4 };
const error = (p99Ms: number): StampError => ({ streams: 4, chunks: 100, p50Ms: 0.1, p99Ms });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-calibration-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('streamsOf', () => {
  it.each([
    [{ mode: 'closed', concurrency: 1 }, 1],
    [{ mode: 'closed', concurrency: 5 }, 8],
    [{ mode: 'closed', concurrency: 9999 }, 512],
    [{ mode: 'poisson', ratePerS: 10 }, 8],
    [{ mode: 'constant', ratePerS: 0.1 }, 1],
  ] as const)('%j → %i', (load, streams) => {
    expect(streamsOf(load)).toBe(streams);
  });
});

describe('createCalibrations', () => {
  it('measures a level once a host, also after a restart', async () => {
    let runs = 0;
    const measure = async () => {
      runs++;
      return error(2);
    };
    expect(await createCalibrations(folder, measure, 'a')(four, signal)).toEqual(error(2));
    expect(await createCalibrations(folder, measure, 'a')({ mode: 'closed', concurrency: 3 }, signal)).toEqual(
      error(2),
    );
    expect(runs).toBe(1);
    await createCalibrations(folder, measure, 'another host')(four, signal);
    expect(runs).toBe(2);
  });

  it('tells a poor one and tries again; a broken file counts as none', async () => {
    const results = [error(80), error(1)];
    const tool = createCalibrations(folder, async () => results.shift() ?? null, 'a');
    expect((await tool(four, signal))?.p99Ms).toBe(80);
    expect((await tool(four, signal))?.p99Ms).toBe(1);
    await writeFile(path.join(folder, 'calibration.json'), '{');
    expect(await tool(four, signal)).toBeNull();
    await expect(readFile(path.join(folder, 'calibration.json'), 'utf8')).resolves.toBe('{');
  });
});

describe('calibrate', () => {
  it('compares the stamps of the real client with the writes of a simulator in a process of its own', async () => {
    const found = await calibrate(2, signal);
    expect(found?.streams).toBe(2);
    // Two streams of a token each 10 ms for two seconds.
    expect(found?.chunks).toBeGreaterThan(150);
    expect(found?.p50Ms).toBeLessThanOrEqual(found?.p99Ms ?? 0);
    // No claim about this host, but a stamp is no guess: far below the time between two tokens on any machine.
    expect(found?.p50Ms).toBeLessThan(10);
  });
});
